import type { FileDiff, TaskDiff } from '@attractor/api';
import { ChangeFacts } from '../../../diff/change-facts.tsx';
import { DiffFile } from '../../../diff/diff-file.tsx';
import { FileTree } from '../../../diff/file-tree.tsx';
import { CommentForm, ShownComment } from '../../../diff/shown-comment.tsx';
import { acted, HOSTILE, LONG, NO_ERROR, none, NOTHING, type Part, STILL } from './example.tsx';

const file = (before: string, after: string, more: Partial<FileDiff> = {}): FileDiff => ({
  path: 'src/slug.ts',
  status: 'changed',
  movedFrom: null,
  binary: false,
  additions: 1,
  deletions: 1,
  contents: 'a1..b2',
  hunks: [
    {
      oldStart: 30,
      newStart: 30,
      section: 'slug',
      lines: [
        { kind: 'context', text: '/** A name for an address. */' },
        { kind: 'removed', text: before },
        { kind: 'added', text: after },
      ],
    },
  ],
  ...more,
});
const CHANGED = file(
  "export const slug = (text) => text.split(' ');",
  'export const slug = (text) => text.split(/\\s+/);',
);

const change = (...files: ReadonlyArray<FileDiff>): TaskDiff => ({
  branch: files.at(-1)?.path ?? 'agent/slugs',
  baseBranch: 'main',
  baseCommit: 'a1',
  headCommit: 'b2',
  filesChanged: files.length,
  additions: files.length,
  deletions: files.length,
  files,
  truncated: false,
});
const tree = (isFlat: boolean, ...files: ReadonlyArray<FileDiff>) => (
  <FileTree files={files} isFlat={isFlat} isViewed={({ path }) => path.endsWith('.md')} />
);
const LINE = { side: 'before', line: 31 } as const;
const form = (text: string) => (
  <CommentForm at={LINE} text={text} onChange={NOTHING} onKeep={NOTHING} onCancel={NOTHING} />
);
const README = file('a', 'b', { path: 'docs/README.md' });
const unfold = async () => undefined;

/** What a change is reviewed with. */
export const CHANGES: ReadonlyArray<Part> = [
  {
    of: 'ChangeFacts',
    from: 'diff/change-facts.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: <ChangeFacts diff={change(CHANGED, README)} seen={1} />,
      empty: none('Without a file there is no change to review.'),
      long: <ChangeFacts diff={change(file('a', 'b', { path: LONG }))} seen={0} />,
      hostile: <ChangeFacts diff={change(file('a', 'b', { path: HOSTILE }))} seen={0} />,
    },
  },
  {
    of: 'FileTree',
    from: 'diff/file-tree.tsx',
    states: {
      ...NO_ERROR,
      ...acted(
        <div className="flex flex-col gap-2">
          {tree(false, README, CHANGED)}
          {tree(true, README, CHANGED)}
        </div>,
      ),
      disabled: none('A file can always be gone to.'),
      busy: none('It is drawn when its change is there.'),
      empty: none('Without a file there is no change to review.'),
      long: tree(false, file('a', 'b', { path: `${LONG}/${LONG}` })),
      hostile: tree(true, file('a', 'b', { path: HOSTILE })),
    },
  },
  {
    of: 'ShownComment',
    from: 'diff/shown-comment.tsx',
    states: {
      ...NO_ERROR,
      ...acted(<ShownComment text="Name this step." onEdit={NOTHING} />),
      disabled: <ShownComment text="Name this step." />,
      busy: none('It is kept in this browser at once.'),
      empty: none('Without a word there is no comment.'),
      long: <ShownComment text={LONG} on="removed line 31" onTakeBack={NOTHING} />,
      hostile: <ShownComment text={HOSTILE} onEdit={NOTHING} />,
    },
  },
  {
    of: 'CommentForm',
    from: 'diff/shown-comment.tsx',
    states: {
      ...NO_ERROR,
      ...acted(form('Name this step.')),
      disabled: none('It is there for those who may write.'),
      busy: none('It is kept in this browser at once.'),
      empty: form(''),
      long: form(LONG),
      hostile: form(HOSTILE),
    },
  },
  {
    of: 'DiffFile',
    from: 'diff/diff-file.tsx',
    states: {
      ...acted(
        <>
          <DiffFile file={CHANGED} layout="unified" onComment={NOTHING} onUnfold={unfold} />
          <DiffFile file={CHANGED} layout="split" />
        </>,
      ),
      disabled: <DiffFile file={CHANGED} layout="unified" />,
      busy: none('It is drawn when its change is there.'),
      error: <DiffFile file={{ ...CHANGED, binary: true }} layout="unified" />,
      empty: <DiffFile file={{ ...CHANGED, hunks: [], status: 'moved' }} layout="unified" />,
      long: <DiffFile file={file(LONG, `${LONG} and more`)} layout="unified" />,
      hostile: <DiffFile file={file(HOSTILE, `${HOSTILE}!`, { path: HOSTILE })} layout="unified" />,
    },
  },
];
