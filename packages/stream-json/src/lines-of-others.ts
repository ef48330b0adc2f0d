import { createCodexLines } from './codex-lines.ts';
import type { Line } from './event-lines.ts';
import { createGeminiLines } from './gemini-lines.ts';

export { geminiAnswer } from './gemini-lines.ts';

/** Whose lines stdout carries; readers of Claude Code's know ours as they are. */
export const LINES_OF = ['claude', 'codex', 'gemini'] as const;

export type LinesOf = (typeof LINES_OF)[number];

/** A translator for one run: it remembers what it has said. */
export function createLinesOf(agent: LinesOf): (line: Line) => ReadonlyArray<Line> {
  if (agent === 'codex') return createCodexLines();
  return agent === 'gemini' ? createGeminiLines() : (line) => [line];
}
