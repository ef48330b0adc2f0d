import type { Journal } from '../journal/journal.ts';
import { newId } from '../id.ts';
import type { Session, SessionOptions } from './contract.ts';
import { createLifecycle, enqueue, record, stop, type Lifecycle } from './lifecycle.ts';
import { owedResults, replay } from './replay.ts';
import { EMPTY_VIEW } from './view.ts';

/** A new conversation. Nothing is asked or run before the first `submit`. */
export function createSession(options: SessionOptions): Session {
  const sessionId = options.sessionId ?? newId('ses');
  const life = createLifecycle(options, sessionId, { view: EMPTY_VIEW, lastSeq: 0 });
  record(life, { kind: 'SESSION_START', sessionId });
  return faceOf(life);
}

/**
 * The conversation that `options.journal` holds, from where it was left. Calls that were running when the process died are answered
 * as interrupted and not run again. `resume()` goes on with unfinished work.
 */
export function resumeSession(options: SessionOptions & { readonly journal: Journal }): Session {
  const past = replay(options.journal.read(), options.config);
  const { sessionId } = past.view;
  if (sessionId === null) throw new Error('The journal holds no session: start a new one with createSession.');
  const life = createLifecycle(options, sessionId, past);
  const owed = owedResults(past.view);
  record(life, { kind: 'SESSION_RESUMED', sessionId, interrupted: owed.map(({ toolCallId }) => toolCallId) });
  for (const result of owed) record(life, result);
  options.journal.sync();
  return faceOf(life);
}

function faceOf(life: Lifecycle): Session {
  return {
    id: life.sessionId,
    submit: async (content) => {
      if (life.ending !== null)
        throw new Error('The session is closed: resume it from its journal or start a new one.');
      await enqueue(life, { content, isFollowUp: false });
    },
    resume: () => (life.ending === null ? enqueue(life, null) : life.working),
    steer: (content) => {
      if (life.ending === null) record(life, { kind: 'STEERING_QUEUED', content });
    },
    followUp: (content) => {
      if (life.ending === null) record(life, { kind: 'FOLLOW_UP_QUEUED', content });
    },
    abort: () => stop(life, 'aborted'),
    close: () => stop(life, 'closed'),
    events: life.stream.read,
    state: () => life.state,
    history: () => life.view.turns,
    usage: () => life.view.usage,
    error: () => life.failure,
  };
}
