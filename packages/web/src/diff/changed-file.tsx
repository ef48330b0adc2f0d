import type { FileDiff } from '@attractor/api';
import { type CommentedLine, counted, type LineComment, showControls } from '@attractor/api/shown';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Suspense, useState } from 'react';
import { late } from '../data/late.ts';
import { IconButton } from '../ui/button.tsx';
import { CheckField } from '../ui/field.tsx';
import { Loading, Refused } from '../ui/notice.tsx';
import { DiffFile, type DiffLayout } from './diff-file.tsx';
import { fileId } from './file-id.ts';
import { useWritten } from './line-comments.ts';
import { CommentForm, lineName, ShownComment } from './shown-comment.tsx';
import { useUnfolding } from './use-unfolding.ts';

type ChangedFileProps = {
  readonly taskId: string;
  readonly headCommit: string;
  readonly file: FileDiff;
  readonly layout: DiffLayout;
  readonly isViewed: boolean;
  readonly onViewed: () => void;
  /** On this file. */
  readonly comments: ReadonlyArray<LineComment>;
  /** Absent: its lines are only read. */
  readonly onComment?: (comment: LineComment) => void;
};

const ChangedPicture = late(() => import('./changed-picture.tsx').then((part) => part.ChangedPicture));

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif)$/i;

/** In git stands only a pointer of Git LFS. */
function isKeptElsewhere({ hunks }: FileDiff): boolean {
  return hunks[0]?.lines[0]?.text.startsWith('version https://git-lfs.github.com/spec/') === true;
}

const WORDS = { added: 'new file', removed: 'removed', changed: '', moved: 'moved' } as const;

/** One file of a change, with what was said about its lines; folded once it was viewed. */
export function ChangedFile(props: ChangedFileProps) {
  const { file, isViewed, onViewed } = props;
  const [opened, setOpened] = useState<boolean | null>(null);
  const isOpen = opened ?? !isViewed;
  return (
    <section
      id={fileId(file.path)}
      data-file
      tabIndex={-1}
      aria-label={showControls(file.path)}
      className="scroll-mt-28 md:scroll-mt-52 overflow-hidden rounded-lg border border-line bg-panel"
    >
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line py-1 pr-3 pl-1 text-sm">
        <IconButton label={isOpen ? 'Fold' : 'Unfold'} aria-expanded={isOpen} onClick={() => setOpened(!isOpen)}>
          {isOpen ? <ChevronDown size={15} aria-hidden /> : <ChevronRight size={15} aria-hidden />}
        </IconButton>
        <code className="-ml-2 min-w-0 flex-[1_1_calc(100%-64px)] font-mono wrap-anywhere md:flex-[1_1_200px]">
          {file.movedFrom === null ? '' : `${showControls(file.movedFrom)} → `}
          {showControls(file.path)}
        </code>
        <FileFacts
          {...props}
          onViewed={() => {
            setOpened(null);
            onViewed();
          }}
        />
      </div>
      {isOpen ? <Contents {...props} /> : null}
    </section>
  );
}

function Contents(props: ChangedFileProps) {
  const { taskId, file } = props;
  if (PICTURE.test(file.path) && (file.binary || isKeptElsewhere(file)))
    return (
      <Suspense fallback={<Loading lines={3} />}>
        <ChangedPicture taskId={taskId} file={file} />
      </Suspense>
    );
  return <Text {...props} />;
}

/** Its lines, each with what is said on it. What is said on lines that are not in view stands above them. */
function Text({ taskId, headCommit, file, layout, comments, onComment }: ChangedFileProps) {
  const { pieces, error, onUnfold, isSeen } = useUnfolding({ taskId, file, headCommit });
  const [written, write] = useWritten(taskId, file.path);
  const on =
    ({ side, line }: CommentedLine) =>
    (one: LineComment | null) =>
      one?.side === side && one.line === line;
  const begin = (at: CommentedLine) => {
    // What was begun on another line is not lost.
    if (written !== null && written.text.trim() !== '') onComment?.(written);
    write({ path: file.path, text: '', ...comments.find(on(at)), side: at.side, line: at.line });
  };
  const form =
    written === null || onComment === undefined ? null : (
      <CommentForm
        at={written}
        text={written.text}
        onChange={(text) => write({ ...written, text })}
        onKeep={() => {
          onComment(written);
          write(null);
        }}
        onCancel={() => write(null)}
      />
    );
  const under = (at: CommentedLine) => {
    if (form !== null && on(at)(written)) return form;
    const known = comments.find(on(at));
    return known === undefined ? null : (
      <ShownComment text={known.text} {...(onComment && { onEdit: () => begin(at) })} />
    );
  };
  return (
    <>
      <div className="flex flex-col gap-2 p-2 empty:hidden">
        {written === null || isSeen(written) ? null : form}
        <UnseenComments comments={comments.filter((one) => !isSeen(one))} {...(onComment && { onComment })} />
      </div>
      <div className="px-4 py-2 empty:hidden">
        <Refused error={error} />
      </div>
      <DiffFile
        file={file}
        layout={layout}
        pieces={pieces}
        onUnfold={onUnfold}
        under={under}
        {...(onComment === undefined ? {} : { onComment: begin })}
      />
    </>
  );
}

type UnseenCommentsProps = Pick<ChangedFileProps, 'comments' | 'onComment'>;

/** What is said on lines that stand in no view of the change: folded again, or gone since. */
export function UnseenComments({ comments, onComment }: UnseenCommentsProps) {
  return comments.map((one) => (
    <ShownComment
      key={`${one.path} ${one.side} ${one.line}`}
      text={one.text}
      on={lineName(one)}
      {...(onComment && { onTakeBack: () => onComment({ ...one, text: '' }) })}
    />
  ));
}

type FileFactsProps = Pick<ChangedFileProps, 'file' | 'isViewed' | 'onViewed' | 'comments'>;

/** What became of it, and whether somebody has seen that; on a phone under its name. */
function FileFacts({ file, isViewed, onViewed, comments }: FileFactsProps) {
  return (
    <div className="flex items-center gap-3 max-md:w-full max-md:pointer-coarse:-mt-3 max-md:pl-12">
      <span className="text-faint empty:hidden">{WORDS[file.status]}</span>
      {comments.length === 0 ? null : <span className="text-wait">{counted(comments.length, 'comment')}</span>}
      <span className="tabular-nums">
        <span className="text-good">+{file.additions}</span> <span className="text-bad">−{file.deletions}</span>
      </span>
      <span className="max-md:ml-auto">
        <CheckField label="Viewed" isOn={isViewed} onChange={onViewed} />
      </span>
    </div>
  );
}
