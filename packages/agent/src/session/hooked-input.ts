import type { SessionEvent } from '../types/index.ts';
import { contextOf } from './hook-context.ts';
import { backgroundTasks, lastWords } from './hook-facts.ts';
import type { Run } from './run.ts';
import type { Called } from '../contract/session.ts';
import { type QueuedInput, queuedInput, type SessionView } from '../conversation/view.ts';
import { defined } from '@attractor/base';

/** How often in a row hooks may keep the work from ending. */
const MAX_KEPT_GOING = 8;

export type ArrivingInput = QueuedInput & {
  readonly isFollowUp: boolean;
  readonly called?: Called;
  readonly key?: string;
};

/**
 * The input as it is accepted: with the text of what it calls in its place, and what hooks say in front of it. Null: a hook refuses it; it
 * does not enter the history, and the person learns why. A child's task does not count as said by a person.
 */
export async function* acceptInput(run: Run, given: ArrivingInput): AsyncGenerator<SessionEvent, ArrivingInput | null> {
  const { hooks } = run;
  const { called } = given;
  if (called !== undefined && (yield* isRefused(run, given, 'UserPromptExpansion', calledFields(given, called))))
    return null;
  const initial = hooks?.takeInitialMessage() ?? null;
  const input = {
    ...given,
    ...withInitial(called === undefined ? given : queuedInput(await called.expand()), initial),
  };
  if (hooks === undefined || hooks.isChild || run.ending() !== null) return input;
  const stopped = hooks.stopped();
  if (stopped !== null) return yield* refused(input, stopped);
  return (yield* isRefused(run, input, 'UserPromptSubmit', promptFields(run, input))) ? null : input;
}

/** The title is that which a hook gave the session. */
function promptFields({ circumstances, view }: Run, { content }: ArrivingInput): Readonly<Record<string, unknown>> {
  const { title: session_title } = view().configured;
  return { prompt: content, source: circumstances.promptsBy ?? 'sdk', ...defined({ session_title }) };
}

function calledFields({ content }: ArrivingInput, called: Called): Readonly<Record<string, unknown>> {
  return {
    expansion_type: called.type,
    command_name: called.name,
    command_args: called.arguments,
    command_source: called.source,
    prompt: content,
  };
}

/** What a hook says for the person stands before their own words. */
function withInitial({ content, parts }: QueuedInput, initial: string | null): QueuedInput {
  if (initial === null) return { content, ...defined({ parts }) };
  const more = parts === undefined ? {} : { parts: [{ kind: 'TEXT' as const, text: `${initial}\n\n` }, ...parts] };
  return { content: `${initial}\n\n${content}`, ...more };
}

async function* isRefused(
  { hooks }: Run,
  input: ArrivingInput,
  event: 'UserPromptExpansion' | 'UserPromptSubmit',
  extras: Readonly<Record<string, unknown>>,
): AsyncGenerator<SessionEvent, boolean> {
  if (hooks?.has(event) !== true) return false;
  const { block, stop, context } = await hooks.fire(event, extras);
  const reason = stop ?? block;
  if (reason === null) {
    hooks.tell(event, context);
    return false;
  }
  yield* refused(input, reason);
  return true;
}

async function* refused({ isFollowUp }: ArrivingInput, reason: string): AsyncGenerator<SessionEvent, null> {
  yield { kind: 'USER_INPUT_REFUSED', reason, ...(isFollowUp ? { isFollowUp: true } : {}) };
  return null;
}

/** Whether the work continues although the model is done, because a hook demands it. `before`: how often that happened already. */
export async function* continuesByHook(run: Run, before: number): AsyncGenerator<SessionEvent, boolean> {
  const { hooks } = run;
  if (hooks === undefined || run.ending() !== null || hooks.stopped() !== null || !isAnswered(run.view())) return false;
  const event = hooks.isChild ? 'SubagentStop' : 'Stop';
  const { block, stop, context } = await hooks.fire(event, {
    stop_hook_active: before > 0,
    last_assistant_message: lastWords(run.view()),
    background_tasks: backgroundTasks(run.view(), run.circumstances),
    session_crons: [],
    ...(hooks.isChild ? { agent_transcript_path: hooks.transcript } : {}),
  });
  if (stop !== null) hooks.stop(stop);
  const words = [...(block === null ? [] : [block]), ...context];
  if (stop !== null || words.length === 0 || run.ending() !== null) return false;
  if (before >= MAX_KEPT_GOING) {
    yield { kind: 'WARNING', message: `Hooks kept the work from ending ${before} times in a row; now it ends.` };
    return false;
  }
  yield { kind: 'STEERING_INJECTED', content: contextOf(event, words), source: 'hook' };
  return true;
}

function isAnswered({ turns, round }: SessionView): boolean {
  return round === null && turns.at(-1)?.kind === 'assistant';
}
