/**
 * Encloses foreign text between two lines that it can't contain itself, so that nothing in it passes for its end or for our own words.
 * `info` names what it is. The fence is longer than any run of backticks inside, as in Markdown.
 */
export function fenced(text: string, info = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${text}\n${fence}`;
}
