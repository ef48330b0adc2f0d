import { createHash } from 'node:crypto';
import { isCommand } from '@attractor/policy';
import type { ToolRegistry, ToolResultsTurn, Turn } from '../types/index.ts';
import { foldTurns } from './fold-turns.ts';
import { isToolCall } from '../conversation/view.ts';

/** A different duration does not count as a new output. */
const DURATION = /\b\d+(?:\.\d+)? ?m?s\b/g;

/** How many of the last rounds, since turn `from` and within one input, changed no file and printed nothing new. */
export function stalledRounds(turns: ReadonlyArray<Turn>, from: number, registry: ToolRegistry): number {
  return progressOf(turns, registry).stalled.filter((index) => index >= from).length;
}

/** `stalled`: the numbers of the turns of the last rounds without progress. `changing`: calls of the last reply that change files. */
type Progress = { readonly seen: Set<string>; stalled: number[]; changing: ReadonlySet<string> };

const progressOf = foldTurns<Progress, ToolRegistry>({
  start: () => ({ seen: new Set(), stalled: [], changing: new Set() }),
  step: (progress, turn, { index, context: registry }) => {
    if (turn.kind === 'user') progress.stalled = [];
    if (turn.kind === 'assistant') progress.changing = callsThatChange(turn, registry);
    if (turn.kind !== 'tool_results') return;
    const isProgress = hasNews(progress, turn) || hasChanged(progress, turn);
    progress.stalled = isProgress ? [] : [...progress.stalled, index];
  },
});

/** A command does not report which files it changed, so only its output counts. */
function callsThatChange({ content }: Extract<Turn, { kind: 'assistant' }>, registry: ToolRegistry): Set<string> {
  const calls = content.filter(isToolCall).filter(({ toolName }) => {
    const tool = registry.get(toolName);
    return tool !== null && tool.readOnly !== true && !isCommand(toolName);
  });
  return new Set(calls.map(({ toolCallId }) => toolCallId));
}

/** Also remembers the outputs that it checks. */
function hasNews({ seen }: Progress, { results }: ToolResultsTurn): boolean {
  const before = seen.size;
  for (const { output } of results) {
    seen.add(createHash('sha1').update(output.replaceAll(DURATION, '')).digest('base64'));
  }
  return seen.size > before;
}

function hasChanged({ changing }: Progress, { results }: ToolResultsTurn): boolean {
  return results.some((result) => !result.isError && changing.has(result.toolCallId));
}
