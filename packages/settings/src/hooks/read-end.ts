import { isRecord } from '@attractor/base';
import { type ParsedHookAnswer, readAnswer } from './answer.ts';
import { type HookEventName, rowOf } from './events.ts';

import type { HandlerEnd } from './handler-end.ts';
import { withoutLeaving } from './until-left.ts';

/** `error` and `timeout` let the work go on unless the handler fails closed. */
export type HandlerStatus = 'success' | 'blocked' | 'error' | 'timeout' | 'cancelled';

export type ReadEnd = { readonly word: ParsedHookAnswer; readonly status: HandlerStatus; readonly problem?: string };

/** Translates an answer from another wire format to the published one. */
type Lower = (answer: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

const BLOCKING_EXIT = 2;

/** What the end of a handler means for its event. */
export function readEnd(event: HookEventName, end: HandlerEnd, lower: Lower = (answer) => answer): ReadEnd {
  switch (end.kind) {
    case 'exit':
      return end.exitCode === 0 ? said(event, withoutLeaving(end.stdout), lower) : complained(event, end);
    case 'body':
      return said(event, end.text, lower);
    case 'answer':
      return understood(event, readAnswer({ ...end.answer }));
    case 'error':
    case 'untrusted':
      return failed('error', end.message);
    case 'timeout':
      return failed('timeout', `It did not end within ${end.timeoutMs / 1000} seconds.`);
    case 'cancelled':
      return { word: {}, status: 'cancelled' };
  }
}

/** For a handler that fails closed: its failure is a refusal, if the event supports one. */
export function failClosedAnswer(event: HookEventName, problem: string): ParsedHookAnswer {
  const reason = `A hook that must not fail did: ${problem}`;
  if (event === 'PermissionRequest') return { request: { behavior: 'deny', message: reason, interrupt: false } };
  return rowOf(event).blocks ? { block: reason } : {};
}

/** Parsed as JSON if it begins like JSON; other text is context for the events that accept it. */
function said(event: HookEventName, output: string, lower: Lower): ReadEnd {
  const text = output.trim();
  if (!text.startsWith('{')) return { word: text === '' ? {} : plain(event, text), status: 'success' };
  const answer = parsed(text);
  if (answer === null) return failed('error', 'It printed what begins like JSON and is none.');
  return understood(event, readAnswer(lower(answer)));
}

/** A path is the last line: what comes before it is what programs on the way said. */
function plain(event: HookEventName, text: string): ParsedHookAnswer {
  const { plainContext, plainPath } = rowOf(event);
  if (plainPath === true) return { worktreePath: text.split('\n').at(-1)?.trim() ?? '' };
  if (plainContext === true) return { context: text };
  const missed = missedAnswer(text);
  return missed === null ? {} : { unclear: missed, unheeded: [missed] };
}

/** What a guard said where no agent reads it would let everything through: that is told. Null: it said nothing of that kind. */
function missedAnswer(text: string): string | null {
  if (text.startsWith('<')) return 'it answered with a page, not with JSON, which has no effect';
  const start = text.search(/^\s*\{/m);
  const answer = start < 0 ? null : parsed(text.slice(start));
  if (answer === null || !ANSWER_FIELDS.some((name) => Object.hasOwn(answer, name))) return null;
  return `its JSON has no effect, because it printed other text before it: ${JSON.stringify(text.slice(0, 40))}`;
}

const ANSWER_FIELDS = ['continue', 'decision', 'hookSpecificOutput'];

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function understood(event: HookEventName, word: ParsedHookAnswer): ReadEnd {
  const { block, ...rest } = word;
  if (block !== undefined && rowOf(event).blocks) return { word, status: 'blocked' };
  const vain = block === undefined ? [] : [`"decision" has no effect: ${event} stops nothing`];
  const unheeded = [...(rest.unheeded ?? []), ...vain];
  const told = unheeded.length === 0 ? rest : { ...rest, unheeded };
  return { word: told, status: isRefusal(rest) ? 'blocked' : 'success' };
}

function isRefusal({ permission, request }: ParsedHookAnswer): boolean {
  return permission?.word === 'deny' || request?.behavior === 'deny';
}

/** Exit code 2 overrides whatever is on stdout. */
function complained(event: HookEventName, end: Extract<HandlerEnd, { kind: 'exit' }>): ReadEnd {
  const reason = end.stderr.trim();
  if (end.exitCode !== BLOCKING_EXIT || !rowOf(event).blocks)
    return failed('error', `It ended with code ${end.exitCode}${reason === '' ? '.' : `: ${reason}`}`);
  return { word: { block: reason === '' ? 'a hook gave no reason' : reason }, status: 'blocked' };
}

function failed(status: 'error' | 'timeout', problem: string): ReadEnd {
  return { word: {}, status, problem };
}
