/** A person's words on a line of a change: as the line was before it, or as it is after it. */
export type LineComment = {
  readonly path: string;
  readonly side: 'before' | 'after';
  readonly line: number;
  readonly text: string;
};

/** Where a comment stands. */
export type CommentedLine = Pick<LineComment, 'side' | 'line'>;

/** One text that an agent can act on: what was said in general, then line by line. */
export function commentText(message: string, comments: ReadonlyArray<LineComment>): string {
  const lines = comments.toSorted(byPlace).map(({ path, side, line, text }) => {
    const place = side === 'before' ? `${path}:${line} (as it was before the change)` : `${path}:${line}`;
    return `${place}: ${text.trim()}`;
  });
  return [message.trim(), ...lines].filter((part) => part !== '').join('\n\n');
}

function byPlace(a: LineComment, b: LineComment): number {
  return a.path.localeCompare(b.path) || a.line - b.line || b.side.localeCompare(a.side);
}

/** The comments with one more, or with another text for the same line; an empty text takes it away. */
export function withComment(comments: ReadonlyArray<LineComment>, comment: LineComment): ReadonlyArray<LineComment> {
  const others = comments.filter((one) => !isSamePlace(one, comment));
  return comment.text.trim() === '' ? others : [...others, comment];
}

function isSamePlace(one: LineComment, other: LineComment): boolean {
  return one.path === other.path && one.line === other.line && one.side === other.side;
}

/** What a browser has kept; a comment of an older version is one on a line as it is after the change. */
export function readComments(kept: string): ReadonlyArray<LineComment> {
  try {
    const read: unknown = JSON.parse(kept);
    return Array.isArray(read) ? read.flatMap(readComment) : [];
  } catch {
    return [];
  }
}

function readComment(value: unknown): ReadonlyArray<LineComment> {
  if (typeof value !== 'object' || value === null || !('path' in value && 'line' in value && 'text' in value))
    return [];
  const { path, line, text } = value;
  if (typeof path !== 'string' || typeof line !== 'number' || typeof text !== 'string') return [];
  const side = 'side' in value && value.side === 'before' ? 'before' : 'after';
  return [{ path, side, line, text }];
}
