import { type LineComment, readComments, withComment } from '@attractor/api/shown';
import { forgetDraft, useDraft, useSharedDraft } from '../data/draft.ts';

/** What somebody says on lines of a task's change; kept in this browser until all of it is sent as one. */
export function useLineComments(taskId: string) {
  const [kept, keep] = useSharedDraft(nameOf(taskId));
  const comments = readComments(kept);
  const put = (comment: LineComment) => {
    const next = withComment(comments, comment);
    keep(next.length === 0 ? '' : JSON.stringify(next));
  };
  return { comments, put };
}

export function forgetLineComments(taskId: string): void {
  forgetDraft(nameOf(taskId));
}

function nameOf(taskId: string): string {
  return `${taskId}.comments`;
}

/** The comment on a line of this file that somebody is writing; it survives a reload. */
export function useWritten(taskId: string, path: string) {
  const [kept, keep] = useDraft(`${taskId}.writing.${path}`);
  const written = readComments(kept)[0] ?? null;
  const write = (comment: LineComment | null) => keep(comment === null ? '' : JSON.stringify([comment]));
  return [written, write] as const;
}
