import { createHash } from 'node:crypto';
import type { ToolRegistry, ToolResultsTurn, Turn } from '../types/index.ts';
import { isToolCall } from './view.ts';

/** A command says nothing of the files that it changed: only its output counts. */
const COMMANDS: ReadonlySet<string> = new Set(['shell', 'Bash', 'exec_command', 'run_shell_command']);

/** How long a command took is no news. */
const DURATION = /\b\d+(?:\.\d+)? ?m?s\b/g;

/** How many of the last rounds, since turn number `from` and within one input, changed no file and showed nothing that was not seen before. */
export function stalledRounds(turns: ReadonlyArray<Turn>, from: number, registry: ToolRegistry): number {
  const seen = new Set<string>();
  let stalled = 0;
  let changing: ReadonlySet<string> = new Set();
  for (const [index, turn] of turns.entries()) {
    if (turn.kind === 'user') stalled = 0;
    if (turn.kind === 'assistant') changing = callsThatChange(turn, registry);
    if (turn.kind !== 'tool_results') continue;
    const hashes = hashesOf(turn);
    const isNews = hashes.some((hash) => !seen.has(hash));
    const hasChanged = turn.results.some((result) => !result.isError && changing.has(result.toolCallId));
    hashes.forEach((hash) => seen.add(hash));
    stalled = isNews || hasChanged || index < from ? 0 : stalled + 1;
  }
  return stalled;
}

function callsThatChange({ content }: Extract<Turn, { kind: 'assistant' }>, registry: ToolRegistry): Set<string> {
  const calls = content.filter(isToolCall).filter(({ toolName }) => {
    const tool = registry.get(toolName);
    return tool !== null && tool.readOnly !== true && !COMMANDS.has(toolName);
  });
  return new Set(calls.map(({ toolCallId }) => toolCallId));
}

/** Turns never change, so each is hashed once. */
const hashed = new WeakMap<ToolResultsTurn, ReadonlyArray<string>>();

function hashesOf(turn: ToolResultsTurn): ReadonlyArray<string> {
  const known = hashed.get(turn);
  if (known !== undefined) return known;
  const hashes = turn.results.map(({ output }) =>
    createHash('sha1').update(output.replaceAll(DURATION, '')).digest('base64'),
  );
  hashed.set(turn, hashes);
  return hashes;
}
