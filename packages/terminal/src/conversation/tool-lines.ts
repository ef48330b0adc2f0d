import { type Line, plainLine, prefixed } from '../themes/line.ts';
import { showSeconds } from './amounts.ts';
import { diffLines } from './diff-lines.ts';
import { changeOf, diffCount, stepsOf, toolSubject, toolTitle } from '@attractor/tool-table';
import { type Args, hasFailed, resultWords } from './tool-words.ts';

export type CallState = {
  readonly toolName: string;
  readonly args: Args;
  /** The end of what it has printed so far. */
  readonly output: string;
  readonly startedAt: number;
  /** A person was shown all of it when they were asked. */
  readonly wasAsked?: boolean;
};

export type CallResult = { readonly output: string; readonly isError: boolean; readonly took: number };

const SLOW_MS = 2_000;
const MOST_DIFF_LINES = 16;
const MOST_ERROR_LINES = 3;
const LIVE_LINES = 3;
const MOST_LIVE_LINES = 200;

/** A call that is done: one line, and below it the change that it made or why it failed. */
export function endedCall(
  { toolName, args, wasAsked }: CallState,
  { output, isError, took }: CallResult,
): ReadonlyArray<Line> {
  const change = isError ? null : changeOf(toolName, args);
  const words = [
    change === null
      ? (isError ? '' : stepWords(toolName, args)) || resultWords(toolName, output, isError)
      : countWords(change),
    took > SLOW_MS ? showSeconds(took) : '',
  ].filter((word) => word !== '');
  const isBad = isError || hasFailed(toolName, output);
  const head: Line = [
    { text: isBad ? '✗ ' : '● ', role: isBad ? 'bad' : 'good' },
    ...called(toolName, args, 160),
    { text: words.length === 0 ? '' : `  ${short(words.join(' · '), 160)}`, role: isBad ? 'bad' : 'dim' },
  ];
  const below = change !== null ? (wasAsked === true ? [] : changeLines(change)) : isError ? errorLines(output) : [];
  return [head, ...below];
}

/** A call that a rule forbids: what it was, and the whole reason, which says what would allow it. */
export function deniedCall({ toolName, args }: CallState, why: string): ReadonlyArray<Line> {
  return [
    [{ text: '✗ ', role: 'bad' }, ...called(toolName, args, 160), { text: '  not allowed', role: 'bad' }],
    plainLine(`  ${why}`, 'bad'),
  ];
}

/** Which tool, and what the call is about. */
function called(toolName: string, args: Args, most: number): Line {
  const subject = short(toolSubject(toolName, args), most);
  return [{ text: toolTitle(toolName), bold: true }, ...(subject === '' ? [] : [{ text: ` ${subject}` }])];
}

type RunningLook = { readonly now: number; readonly isOpen: boolean; readonly most: number | undefined };

/** A call that runs: what it is, how long it has taken, and the last lines that it printed: a few, or as many as are kept. */
export function runningCall(
  { toolName, args, output, startedAt }: CallState,
  { now, isOpen, most: room = MOST_LIVE_LINES }: RunningLook,
): ReadonlyArray<Line> {
  const most = isOpen ? Math.max(LIVE_LINES, Math.min(MOST_LIVE_LINES, room - 1)) : LIVE_LINES;
  const lines = output.trimEnd() === '' ? [] : output.trimEnd().split('\n').slice(-most);
  return [
    [
      { text: '◌ ', role: 'accent' },
      ...called(toolName, args, 100),
      { text: now - startedAt < 1_000 ? '' : `  ${showSeconds(now - startedAt)}`, role: 'dim' },
    ],
    ...lines.map((line) => plainLine(`  ${line.slice(0, 200)}`, 'dim')),
  ];
}

function stepWords(toolName: string, args: Args): string {
  const steps = stepsOf(toolName, args);
  if (steps === null) return '';
  const current = steps.find(({ status }) => status === 'in_progress');
  const ended = steps.filter(({ status }) => status === 'completed').length;
  return `${ended} of ${steps.length} done${current === undefined ? '' : ` · now: ${current.text}`}`;
}

function countWords(change: string): string {
  const { added, removed } = diffCount(change);
  return `+${added} −${removed}`;
}

function changeLines(change: string): ReadonlyArray<Line> {
  const [, ...lines] = diffLines(change);
  const shown = lines.slice(0, MOST_DIFF_LINES);
  const rest = lines.length - shown.length;
  const more = rest > 0 ? [plainLine(`… ${rest} more lines (/diff shows all)`, 'dim')] : [];
  return [...shown, ...more].map((line) => prefixed(line, { text: '  ' }));
}

function errorLines(output: string): ReadonlyArray<Line> {
  const [, ...lines] = output.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, MOST_ERROR_LINES).map((line) => plainLine(`  ${short(line, 200)}`, 'dim'));
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, plainLine(`  … ${rest} more lines (Ctrl-O shows all)`, 'dim')] : shown;
}

function short(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
