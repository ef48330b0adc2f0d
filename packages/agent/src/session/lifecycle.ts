import { buildSystemPrompt } from '../prompts/build.ts';
import { createToolRegistry, type SessionEndReason, type SessionEvent, type SessionState } from '../types/index.ts';
import type { SessionOptions } from './contract.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { converse, type UserInput } from './loop.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { Replay } from './replay.ts';
import type { Run } from './run.ts';
import { advance, type SessionView } from './view.ts';

/** The moving parts of one session. `ending` is set once; after it nothing new begins. `working` never rejects. */
export type Lifecycle = {
  readonly options: SessionOptions;
  readonly sessionId: string;
  readonly stream: EventStream;
  readonly recorder: Recorder;
  readonly stopper: AbortController;
  view: SessionView;
  state: SessionState;
  ending: SessionEndReason | null;
  failure: Error | null;
  working: Promise<void>;
};

export function createLifecycle(options: SessionOptions, sessionId: string, past: Replay): Lifecycle {
  const stream = createEventStream();
  return {
    options,
    sessionId,
    stream,
    recorder: createRecorder({ sessionId, lastSeq: past.lastSeq, journal: options.journal, stream }),
    stopper: new AbortController(),
    view: past.view,
    state: 'IDLE',
    ending: null,
    failure: null,
    working: Promise.resolve(),
  };
}

const STATE_AFTER: Readonly<Partial<Record<SessionEvent['kind'], SessionState>>> = {
  APPROVAL_REQUESTED: 'AWAITING_INPUT',
  APPROVAL_ANSWERED: 'PROCESSING',
};

export function record(life: Lifecycle, event: SessionEvent): void {
  life.view = advance(life.view, event, life.options.config);
  life.state = STATE_AFTER[event.kind] ?? life.state;
  life.recorder.record(event);
}

/** Does the work after all work that was asked for before. */
export function enqueue(life: Lifecycle, input: UserInput | null): Promise<void> {
  life.working = life.working.then(() => work(life, input));
  return life.working;
}

export async function stop(life: Lifecycle, reason: SessionEndReason): Promise<void> {
  life.ending ??= reason;
  life.stopper.abort();
  await life.working;
  finish(life);
}

/** What was left open, then the input, then what was queued behind it. */
async function work(life: Lifecycle, input: UserInput | null): Promise<void> {
  try {
    if (life.ending === null && life.view.inputOpen) await processInput(life, null);
    if (life.ending === null && input !== null) await processInput(life, input);
    while (life.ending === null && life.view.followUps[0] !== undefined) {
      await processInput(life, { content: life.view.followUps[0], isFollowUp: true });
    }
  } catch (error) {
    fail(life, error instanceof Error ? error : new Error(String(error)));
    tryTo(() => record(life, { kind: 'ERROR', error: life.failure ?? new Error('unknown') }));
  }
  if (life.ending === null) life.state = 'IDLE';
  else finish(life);
}

async function processInput(life: Lifecycle, input: UserInput | null): Promise<void> {
  life.state = 'PROCESSING';
  if (life.view.systemPrompt === null) {
    record(life, { kind: 'SYSTEM_PROMPT', content: await buildSystemPrompt(life.options) });
  }
  for await (const event of converse(runOf(life), input)) record(life, event);
}

function runOf(life: Lifecycle): Run {
  const { options, sessionId, stopper } = life;
  return {
    sessionId,
    config: options.config,
    profile: options.profile,
    environment: options.environment,
    client: options.client,
    registry: createToolRegistry(options.profile.toolRegistry.list()),
    approve: options.approve,
    signal: stopper.signal,
    view: () => life.view,
    ending: () => life.ending,
    fail: (error) => fail(life, error),
  };
}

function fail(life: Lifecycle, error: Error): void {
  life.failure ??= error;
  life.ending ??= 'error';
}

function finish(life: Lifecycle): void {
  if (life.state === 'CLOSED') return;
  life.state = 'CLOSED';
  life.stopper.abort();
  tryTo(() => record(life, { kind: 'SESSION_END', sessionId: life.sessionId, reason: life.ending ?? 'closed' }));
  tryTo(life.recorder.close);
}

/** At the end of a session a full disk must not hide how it ended. */
function tryTo(step: () => void): void {
  try {
    step();
  } catch {
    // What could be stored is stored; the state says the rest.
  }
}
