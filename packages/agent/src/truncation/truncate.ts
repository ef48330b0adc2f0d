import { truncateChars, type TruncationMode } from '@attractor/system';
import { ownNameOf, type OutputLimit, type ToolRow, TOOLS } from '@attractor/tool-table';

export { truncateChars, type TruncationMode } from '@attractor/system';

/** By tool name, overriding the defaults. */
export type TruncationConfig = {
  readonly toolOutputLimits?: Readonly<Record<string, number>>;
  readonly toolLineLimits?: Readonly<Record<string, number>>;
};

const LIMITS: ReadonlyArray<readonly [tool: string, limit: OutputLimit]> = Object.entries<ToolRow>(TOOLS).flatMap(
  ([tool, { output }]) => (output === undefined ? [] : [[tool, output] as const]),
);

/** How many characters of a tool's output a model sees; 30,000 for other tools. */
export const DEFAULT_CHAR_LIMITS: Readonly<Record<string, number>> = Object.fromEntries(
  LIMITS.map(([tool, { chars }]) => [tool, chars]),
);

/** Which part of an output that is too long is kept; both ends for other tools. */
export const DEFAULT_TRUNCATION_MODES: Readonly<Record<string, TruncationMode>> = Object.fromEntries(
  LIMITS.map(([tool, { keep }]) => [tool, keep]),
);

/** How many lines a model sees, after truncation by characters; null or absent: any number. */
export const DEFAULT_LINE_LIMITS: Readonly<Record<string, number | null>> = Object.fromEntries(
  LIMITS.flatMap(([tool, { lines }]) => (lines === undefined ? [] : [[tool, lines]])),
);

const OTHER_TOOLS = { chars: 30_000, mode: 'head_tail' } as const;

/** A tool's output as the model sees it. Characters are truncated first, so that lines are only counted in a bounded text. */
export function truncateToolOutput(output: string, toolName: string, config: TruncationConfig = {}): string {
  const house = ownNameOf(toolName);
  const maxChars = given(config.toolOutputLimits, toolName) ?? own(DEFAULT_CHAR_LIMITS, house) ?? usualChars(toolName);
  const mode = own(DEFAULT_TRUNCATION_MODES, house) ?? OTHER_TOOLS.mode;
  const maxLines = given(config.toolLineLimits, toolName) ?? own(DEFAULT_LINE_LIMITS, house) ?? null;
  const text = truncateChars(output, maxChars, mode);
  return maxLines === null ? text : truncateLines(text, maxLines);
}

/** The output of another program's tool is bounded where it is read. */
function usualChars(toolName: string): number {
  return toolName.startsWith('mcp__') ? Infinity : OTHER_TOOLS.chars;
}

/** Keeps the first and the last lines, `maxLines` together. */
export function truncateLines(output: string, maxLines: number): string {
  const end = output.endsWith('\n') ? output.length - 1 : output.length;
  const head = Math.floor(maxLines / 2);
  let count = 1;
  let headEnd = 0;
  for (let at = output.indexOf('\n'); at >= 0 && at < end; at = output.indexOf('\n', at + 1)) {
    if (count === head) headEnd = at;
    count++;
  }
  if (count <= maxLines || output === '') return output;
  if (maxLines < 1) return linesRemoved(count - maxLines) + output.slice(end);
  let tailStart = end;
  for (let left = maxLines - head; left > 0; left--) tailStart = output.lastIndexOf('\n', tailStart - 1);
  // Joining makes a new string: a mere slice would keep the whole output in memory.
  const kept = [linesRemoved(count - maxLines), output.slice(tailStart + 1)];
  return (head === 0 ? kept : [output.slice(0, headEnd), ...kept]).join('\n');
}

function linesRemoved(removed: number): string {
  return `[WARNING: Tool output was truncated. ${removed} lines were removed from the middle. The full output is available in the event stream.]`;
}

/** A limit may be set under the name that the profile shows or under the tool's own name; the shown one wins. */
function given(limits: Readonly<Record<string, number>> | undefined, toolName: string): number | undefined {
  return own(limits, toolName) ?? own(limits, ownNameOf(toolName));
}

function own<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
