import type { SessionEvent, ToolRegistry, Turn } from '../types/index.ts';
import { stalledRounds } from './progress.ts';
import type { Run } from './run.ts';
import { isToolCall, type SessionView } from '../conversation/view.ts';

const DEFAULT_WINDOW = 10;

/** A pattern of this many calls, repeated this often, is a loop. */
const PATTERNS = [
  { length: 1, repeats: 5 },
  { length: 2, repeats: 3 },
  { length: 3, repeats: 3 },
];

/** The number of rounds without a changed file or a new output, or with the same text. */
const MAX_STALLED_ROUNDS = 10;
const MAX_SAME_TEXT = 10;

const ADVICE = 'You are repeating yourself without progress. Stop, think about what you learned, and try another way.';

/** What makes two calls the same: the name and the arguments, in any key order. */
export type CallSignature = { readonly toolName: string; readonly args: Readonly<Record<string, unknown>> };

/** Whether the last calls repeat themselves. `window`: how many of them count; 0 switches detection off. */
export function detectLoop(calls: ReadonlyArray<CallSignature>, window = DEFAULT_WINDOW): boolean {
  const recent = window === 0 ? [] : calls.slice(-window).map(signatureOf);
  return PATTERNS.some(({ length, repeats }) => endsWithPattern(recent, length, repeats));
}

export async function* watchForLoops(run: Run): AsyncGenerator<SessionEvent, void> {
  const { config, registry } = run.settings();
  if (run.ending() !== null || !isLooping(run.view(), registry, config.loopDetectionWindow)) return;
  yield { kind: 'LOOP_DETECTION', message: ADVICE };
  yield { kind: 'STEERING_INJECTED', content: ADVICE, source: 'loop_detection' };
}

function isLooping(view: SessionView, registry: ToolRegistry, window: number | undefined): boolean {
  if (window === 0) return false;
  if (detectLoop(recentCalls(view), window) || saysTheSame(view.turns.slice(view.loopSeenAt))) return true;
  return stalledRounds(view.turns, view.loopSeenAt, registry) >= MAX_STALLED_ROUNDS;
}

function saysTheSame(turns: ReadonlyArray<Turn>): boolean {
  const texts = turns.flatMap((turn) => (turn.kind === 'assistant' ? [textOf(turn)] : [])).slice(-MAX_SAME_TEXT);
  return texts.length === MAX_SAME_TEXT && texts[0] !== '' && texts.every((text) => text === texts[0]);
}

function textOf({ content }: Extract<Turn, { kind: 'assistant' }>): string {
  return content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
}

function endsWithPattern(signatures: ReadonlyArray<string>, length: number, repeats: number): boolean {
  const tail = signatures.slice(-length * repeats);
  return tail.length === length * repeats && tail.every((signature, index) => signature === tail[index % length]);
}

function recentCalls(view: SessionView): ReadonlyArray<CallSignature> {
  return view.turns
    .slice(view.loopSeenAt)
    .flatMap((turn) => (turn.kind === 'assistant' ? turn.content.filter(isToolCall) : []));
}

function signatureOf({ toolName, args }: CallSignature): string {
  return `${toolName}:${JSON.stringify(sorted(args))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}
