import type { FileDiff } from '@attractor/api';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { DiffFile, type DiffLayout } from '../../diff/diff-file.tsx';
import type { LineComment } from '../../diff/line-comments.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CheckField } from '../../ui/field.tsx';
import { MessageField } from '../../ui/message-field.tsx';
import { Loading } from '../../ui/notice.tsx';
import { showControls } from '../../ui/plain-text.ts';
import { fileId } from './file-id.ts';
import { late } from '../../data/late.ts';

type ChangedFileProps = {
  readonly taskId: string;
  readonly file: FileDiff;
  readonly layout: DiffLayout;
  readonly isViewed: boolean;
  readonly onViewed: () => void;
  readonly comments: ReadonlyArray<LineComment>;
  /** Absent: its lines are only read. */
  readonly onComment?: (comment: LineComment) => void;
};

const ChangedPicture = late(() => import('../../diff/changed-picture.tsx').then((part) => part.ChangedPicture));

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif)$/i;

const WORDS = { added: 'new file', removed: 'removed', changed: '', moved: 'moved' } as const;

/** One file of a change, with what was said about its lines; folded once it was viewed. */
export function ChangedFile(props: ChangedFileProps) {
  const { file, isViewed, onViewed, comments, onComment } = props;
  const [opened, setOpened] = useState<boolean | null>(null);
  const [writing, setWriting] = useState<number | null>(null);
  const isOpen = opened ?? !isViewed;
  const commentOn = (line: number) => comments.find((one) => one.path === file.path && one.line === line);
  const under = (line: number) => {
    const known = commentOn(line);
    if (line === writing)
      return (
        <CommentForm
          line={line}
          text={known?.text ?? ''}
          onKeep={(text) => {
            onComment?.({ path: file.path, line, text });
            setWriting(null);
          }}
        />
      );
    return known === undefined ? null : (
      <Remark text={known.text} {...(onComment === undefined ? {} : { onEdit: () => setWriting(line) })} />
    );
  };
  return (
    <section
      id={fileId(file.path)}
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
          file={file}
          isViewed={isViewed}
          onViewed={() => {
            setOpened(null);
            onViewed();
          }}
        />
      </div>
      {isOpen ? (
        <Contents {...props} under={under} {...(onComment === undefined ? {} : { onWrite: setWriting })} />
      ) : null}
    </section>
  );
}

type ContentsProps = Pick<ChangedFileProps, 'taskId' | 'file' | 'layout'> & {
  readonly under: (line: number) => ReactNode;
  readonly onWrite?: (line: number) => void;
};

function Contents({ taskId, file, layout, under, onWrite }: ContentsProps) {
  if (file.binary && PICTURE.test(file.path))
    return (
      <Suspense fallback={<Loading lines={3} />}>
        <ChangedPicture taskId={taskId} file={file} />
      </Suspense>
    );
  return (
    <DiffFile file={file} layout={layout} under={under} {...(onWrite === undefined ? {} : { onComment: onWrite })} />
  );
}

/** What became of it, and whether somebody has seen that; on a phone under its name. */
function FileFacts({ file, isViewed, onViewed }: Pick<ChangedFileProps, 'file' | 'isViewed' | 'onViewed'>) {
  return (
    <div className="flex items-center gap-3 max-md:w-full max-md:pointer-coarse:-mt-3 max-md:pl-12">
      <span className="text-faint empty:hidden">{WORDS[file.status]}</span>
      <span className="tabular-nums">
        <span className="text-good">+{file.additions}</span> <span className="text-bad">−{file.deletions}</span>
      </span>
      <span className="max-md:ml-auto">
        <CheckField label="Viewed" isOn={isViewed} onChange={onViewed} />
      </span>
    </div>
  );
}

function Remark({ text, onEdit }: { readonly text: string; readonly onEdit?: () => void }) {
  return (
    <div className="flex items-start gap-3 rounded-md border border-wait bg-wait-well py-1 pr-1 pl-3 text-sm">
      <p className="min-w-0 flex-1 py-1.5 break-words whitespace-pre-wrap">{showControls(text)}</p>
      {onEdit === undefined ? null : (
        <Button kind="quiet" onClick={onEdit}>
          Edit
        </Button>
      )}
    </div>
  );
}

/** All of it is seen: what stands at the bottom of the window would cover it. */
function beginWriting(field: HTMLTextAreaElement | null): void {
  field?.focus({ preventScroll: true });
  field?.closest('div')?.scrollIntoView({ block: 'nearest' });
}

type CommentFormProps = { readonly line: number; readonly text: string; readonly onKeep: (text: string) => void };

function CommentForm({ line, text, onKeep }: CommentFormProps) {
  const [value, setValue] = useState(text);
  return (
    <div className="flex scroll-mb-20 flex-col gap-2 rounded-md border border-edge bg-panel p-3 md:scroll-mb-36">
      <MessageField
        label={`Comment on line ${line}`}
        value={value}
        onChange={setValue}
        onSend={() => onKeep(value)}
        field={beginWriting}
      />
      <div className="flex gap-2">
        <Button kind="primary" onClick={() => onKeep(value)}>
          Add comment
        </Button>
        <Button kind="quiet" onClick={() => onKeep(text)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
