import type { SessionEvent } from '../types/index.ts';
import { contextOf } from './hook-context.ts';
import type { Run } from './run.ts';
import type { QueuedInput, SessionView } from '../conversation/view.ts';

/** How often in a row hooks may keep the work from ending. */
const MAX_KEPT_GOING = 8;

export type ArrivingInput = QueuedInput & { readonly isFollowUp: boolean };

/**
 * Whether an input is accepted. If a hook refuses it, it does not enter the history, and the person learns why. A child's task does not
 * count as said by a person.
 */
export async function* acceptInput(
  run: Run,
  { content, isFollowUp }: ArrivingInput,
): AsyncGenerator<SessionEvent, boolean> {
  const { hooks } = run;
  if (hooks?.has('UserPromptSubmit') !== true || hooks.isChild || run.ending() !== null) return true;
  const { block, stop, context } = await hooks.fire('UserPromptSubmit', { prompt: content });
  const reason = stop ?? block;
  if (reason !== null) {
    yield { kind: 'USER_INPUT_REFUSED', reason, ...(isFollowUp ? { isFollowUp: true } : {}) };
    yield { kind: 'WARNING', message: `A hook refused the input: ${reason}` };
    return false;
  }
  hooks.tell('UserPromptSubmit', context);
  return true;
}

/** Whether the work continues although the model is done, because a hook demands it. `before`: how often that happened already. */
export async function* continuesByHook(run: Run, before: number): AsyncGenerator<SessionEvent, boolean> {
  const { hooks } = run;
  if (hooks === undefined || run.ending() !== null || hooks.isStopped() || !isAnswered(run.view())) return false;
  const event = hooks.isChild ? 'SubagentStop' : 'Stop';
  const { block, stop, context } = await hooks.fire(event, {
    stop_hook_active: before > 0,
    last_assistant_message: lastWords(run.view()),
    background_tasks: [],
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

function lastWords({ turns }: SessionView): string {
  const last = turns.at(-1);
  if (last?.kind !== 'assistant') return '';
  return last.content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
}
