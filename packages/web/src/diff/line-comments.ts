import { useDraft } from '../data/draft.ts';

/** A person's words on a line of a change; kept in this browser until all of them are sent as one. */
export type LineComment = { readonly path: string; readonly line: number; readonly text: string };

export function useLineComments(taskId: string) {
  const [kept, keep] = useDraft(`${taskId}.comments`);
  const comments = readComments(kept);
  return {
    comments,
    put: (comment: LineComment) => {
      const others = comments.filter(({ path, line }) => path !== comment.path || line !== comment.line);
      const next = comment.text.trim() === '' ? others : [...others, comment];
      keep(next.length === 0 ? '' : JSON.stringify(next));
    },
    clear: () => keep(''),
  };
}

/** One text that an agent can act on: what was said in general, then line by line. */
export function commentText(message: string, comments: ReadonlyArray<LineComment>): string {
  const lines = comments
    .toSorted((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
    .map(({ path, line, text }) => `${path}:${line}: ${text.trim()}`);
  return [message.trim(), ...lines].filter((part) => part !== '').join('\n\n');
}

function readComments(kept: string): ReadonlyArray<LineComment> {
  try {
    const read: unknown = JSON.parse(kept);
    return Array.isArray(read) ? (read as ReadonlyArray<LineComment>) : [];
  } catch {
    return [];
  }
}
