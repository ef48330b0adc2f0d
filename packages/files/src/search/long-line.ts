/** Longer lines are truncated here, with ripgrep's own wording. */
const MAX_LINE = 2_000;
const CUT = ' [... omitted end of long line]';

export function cutLine(line: string): string {
  return line.length <= MAX_LINE ? line : line.slice(0, MAX_LINE) + CUT;
}
