import type { FileDiff, TaskDiff } from '@attractor/api';
import { useRef } from 'react';
import { ChangedFile, UnseenComments } from './changed-file.tsx';
import type { DiffLayout } from './diff-file.tsx';
import { useLineComments } from './line-comments.ts';
import { useChangeKeys } from './use-change-keys.ts';

type ReviewFilesProps = {
  readonly taskId: string;
  readonly diff: TaskDiff;
  readonly layout: DiffLayout;
  readonly viewed: { readonly isViewed: (file: FileDiff) => boolean; readonly turn: (file: FileDiff) => void };
  readonly mayComment: boolean;
};

/** Every file of a change, to be read and commented on line by line. */
export function ReviewFiles({ taskId, diff, layout, viewed, mayComment }: ReviewFilesProps) {
  const area = useRef<HTMLDivElement>(null);
  const { comments, put } = useLineComments(taskId);
  useChangeKeys(area);
  const onComment = mayComment ? { onComment: put } : undefined;
  const paths = new Set(diff.files.map(({ path }) => path));
  const gone = comments.filter(({ path }) => !paths.has(path));
  return (
    <div ref={area} className="flex min-w-0 flex-col gap-4">
      {diff.truncated ? (
        <p className="text-sm text-wait">The change is too large to be shown whole: this is its beginning.</p>
      ) : null}
      {diff.files.map((file) => (
        <ChangedFile
          key={file.path}
          taskId={taskId}
          headCommit={diff.headCommit}
          file={file}
          layout={layout}
          isViewed={viewed.isViewed(file)}
          onViewed={() => viewed.turn(file)}
          comments={comments.filter(({ path }) => path === file.path)}
          {...onComment}
        />
      ))}
      <UnseenComments comments={gone} {...onComment} />
    </div>
  );
}
