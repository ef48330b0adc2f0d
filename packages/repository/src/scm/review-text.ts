/** A reviewing agent's report as a comment on the pull request. Null if there is nothing worth posting. */
export function reviewText(outcome: string, payload: unknown): string | null {
  if (outcome === 'approved') return 'The reviewing agent approves this change.';
  if (outcome !== 'changes_requested' || typeof payload !== 'object' || payload === null) return null;
  const summary: unknown = Reflect.get(payload, 'summary');
  const comments: unknown = Reflect.get(payload, 'comments');
  const lines = Array.isArray(comments) ? comments.flatMap(commentLine) : [];
  const head = typeof summary === 'string' ? summary : 'The reviewing agent asks for changes.';
  return [`**Changes requested.** ${head}`, ...(lines.length === 0 ? [] : [lines.join('\n')])].join('\n\n');
}

function commentLine(comment: unknown): ReadonlyArray<string> {
  if (typeof comment !== 'object' || comment === null) return [];
  const [text, severity, file, line]: ReadonlyArray<unknown> = ['comment', 'severity', 'file', 'line'].map((key) =>
    Reflect.get(comment, key),
  );
  if (typeof text !== 'string') return [];
  const where = typeof file === 'string' ? ` \`${file}${typeof line === 'number' ? `:${line}` : ''}\`` : '';
  return [`- ${typeof severity === 'string' ? `**${severity}**` : '**comment**'}${where}: ${text}`];
}
