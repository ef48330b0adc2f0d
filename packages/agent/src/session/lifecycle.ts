import { defined, errorOf } from '@attractor/base';
import type { ToolCallPart } from '@attractor/llm';
import { buildSystemPrompt } from '../prompts/build.ts';
import type { EventRedactor } from '@attractor/journal';
import type { Redactor } from '@attractor/redact';
import type { ProviderProfile, SessionEndReason, SessionEvent, SessionState } from '../types/index.ts';
import type { LivePolicy } from '@attractor/policy';
import type { SessionOptions } from '../contract/session.ts';
import { type ConfirmChanged, unansweredBefore } from './confirm-changed.ts';
import type { EventStream } from './event-stream.ts';
import { afterCompaction, hookedCompaction } from './hooked-compaction.ts';
import type { Leavable } from './leavable.ts';
import { answerInput, type UserInput } from './loop.ts';
import type { Questions } from './questions.ts';
import type { Recorder } from './recorder.ts';
import { isMentionedUrl } from '../tools/web/mentioned-urls.ts';
import type { RequestedChange, Run } from './run.ts';
import type { SessionHooks } from './session-hooks.ts';
import { settingsOf, type OwnTool, type Settings } from './settings.ts';
import type { Subagents } from '../subagent/subagents.ts';
import { advance, isToolCall, type SessionView } from '../conversation/view.ts';

/** The mutable parts of one session. `ending` is set once; after it nothing new begins. `working` never rejects. */
export type Lifecycle = {
  readonly options: SessionOptions;
  readonly policy: LivePolicy | undefined;
  readonly sessionId: string;
  readonly stream: EventStream;
  readonly recorder: Recorder;
  readonly stopper: AbortController;
  /** Stops the input under way only; a new one for each input that was stopped. */
  turn: AbortController;
  readonly leavable: Leavable;
  /** How many inputs are under way or wait for their turn. */
  inputs: number;
  readonly questions: Questions;
  readonly hooks: SessionHooks | undefined;
  readonly confirmChanged: ConfirmChanged;
  readonly subagents: Subagents;
  readonly ownTools: ReadonlyArray<OwnTool>;
  /** Known profiles, the latest for each id. */
  readonly profiles: Map<string, ProviderProfile>;
  /** Changes that take effect with the next model request. */
  readonly changes: RequestedChange[];
  /** When the model last answered, in milliseconds; null: never. */
  respondedAt: number | null;
  readonly redactor: Redactor;
  readonly redact: EventRedactor;
  /** The calls of the last reply with their secrets, which no view and no journal contains. */
  meant: ReadonlyArray<ToolCallPart>;
  view: SessionView;
  settings: Settings;
  state: SessionState;
  ending: SessionEndReason | null;
  failure: Error | null;
  working: Promise<void>;
  finishing: Promise<void> | null;
};

/** History, journal and readers get the same event, without its secrets, so a resumed session sends the same bytes. */
export function record(life: Lifecycle, event: SessionEvent): void {
  if (event.kind === 'ASSISTANT_MESSAGE') {
    life.meant = event.content.filter(isToolCall);
    life.respondedAt = Date.now();
  }
  for (const safe of life.redact(event)) {
    life.view = advance(life.view, safe, life.options.config);
    if (safe.kind === 'CONFIGURED') refreshSettings(life);
    if (life.state === 'PROCESSING' || life.state === 'AWAITING_INPUT') life.state = stateOf(life.view);
    life.recorder.record(safe);
  }
}

/** Does the work once everything requested before is done. */
export function enqueue(life: Lifecycle, input: UserInput | null): Promise<void> {
  life.inputs += 1;
  life.working = life.working.then(() => work(life, input)).then(() => void (life.inputs -= 1));
  return life.working;
}

/** Stops the input under way, with its subagents, or only with those that it waits for; the session stays open for the next one. */
export async function cancel(life: Lifecycle, which?: 'awaited'): Promise<void> {
  if (life.inputs === 0 || life.ending !== null) return;
  life.turn.abort();
  await life.subagents.closeAll('aborted', which);
  await life.working;
}

/** Why the input under way may not go on, or null. */
function endingOf({ ending, turn }: Lifecycle): SessionEndReason | null {
  return ending ?? (turn.signal.aborted ? 'aborted' : null);
}

/** Fires when the session or the input under way is stopped. */
export function signalOf({ stopper, turn }: Lifecycle): AbortSignal {
  return AbortSignal.any([stopper.signal, turn.signal]);
}

export async function stop(life: Lifecycle, reason: SessionEndReason): Promise<void> {
  life.ending ??= reason;
  life.stopper.abort();
  await life.subagents.closeAll(life.ending);
  await life.working;
  await finish(life);
}

function stateOf({ waiting }: SessionView): SessionState {
  return waiting.length > 0 ? 'AWAITING_INPUT' : 'PROCESSING';
}

/** The profile's registry may have changed since the last input. */
export function refreshSettings(life: Lifecycle): void {
  const { options, profiles, ownTools } = life;
  life.settings = settingsOf({ options, profiles, ownTools, configured: life.view.configured });
}

/** First what was left open, then the input, then what was queued behind it. */
async function work(life: Lifecycle, input: UserInput | null): Promise<void> {
  try {
    if (endingOf(life) === null && life.view.inputOpen) await processInput(life, null);
    if (endingOf(life) === null && input !== null) await processInput(life, input);
    while (endingOf(life) === null && life.view.followUps[0] !== undefined) {
      await processInput(life, { ...life.view.followUps[0], isFollowUp: true });
    }
  } catch (error) {
    fail(life, errorOf(error));
    attempt(() => record(life, { kind: 'ERROR', error: life.failure ?? new Error('unknown') }));
  }
  if (life.failure !== null) await life.hooks?.failed(life.failure);
  if (life.ending === null && life.turn.signal.aborted) {
    record(life, { kind: 'PROCESSING_END', reason: 'interrupted' });
    life.turn = new AbortController();
  }
  if (life.ending === null) life.state = 'IDLE';
  else await finish(life);
}

async function processInput(life: Lifecycle, input: UserInput | null): Promise<void> {
  refreshSettings(life);
  for (const event of unansweredBefore(life.view)) record(life, event);
  life.state = stateOf(life.view);
  for await (const event of answerInput(runOf(life), input)) {
    record(life, event);
    await afterCompaction(life.hooks, event);
  }
}

function runOf(life: Lifecycle): Run {
  const { options, sessionId, questions } = life;
  return {
    sessionId,
    environment: options.environment,
    client: options.client,
    approve: options.approve,
    policy: life.policy,
    ruleFiles: options.ruleFiles,
    beforeChange: options.beforeChange,
    confirmStart: options.confirmStart,
    compaction: hookedCompaction(options.compaction, life.hooks),
    memoryFile: options.memoryFile,
    saidMeanwhile: options.saidMeanwhile,
    circumstances: options.circumstances ?? {},
    respondedAt: () => life.respondedAt,
    questions,
    hooks: life.hooks,
    confirmChanged: life.confirmChanged,
    held: () =>
      (options.asSubagent === undefined ? (options.toolSources ?? []) : []).flatMap((one) => one.held?.() ?? []),
    nextReport: () => life.subagents.nextReport(signalOf(life)),
    signal: signalOf(life),
    leavable: life.leavable,
    isMentioned: (url) => isMentioned(life, url),
    view: () => life.view,
    meant: () => life.meant,
    settings: () => life.settings,
    nextChange: () => life.changes.shift() ?? null,
    buildPrompt: () => {
      const { config, profile, registry } = life.settings;
      const clock = defined({ now: options.now });
      const tools = registry.definitions();
      const memory = defined({ memoryFile: options.memoryFile });
      const onDocuments = life.hooks?.has('InstructionsLoaded') === true ? life.hooks.instructed : undefined;
      const onCut = options.asSubagent === undefined ? (message: string) => warnOnce(life, message) : undefined;
      const told = { ...memory, ...clock, ...defined({ onDocuments, onCut }) };
      return buildSystemPrompt({ config, profile, environment: options.environment, tools, ...told });
    },
    ending: () => endingOf(life),
    close: () => {
      life.ending ??= 'closed';
    },
    fail: (error) => fail(life, error),
  };
}

const warned = new WeakSet<Lifecycle>();

/** The text of the system is made again where the model changes. */
function warnOnce(life: Lifecycle, message: string): void {
  if (warned.has(life)) return;
  warned.add(life);
  record(life, { kind: 'WARNING', message });
}

/** A child's task was written by a model, so only URLs that its parent was given and that it read itself count. */
export function isMentioned({ options, view }: Lifecycle, url: string): boolean {
  const speaker = (options.depth ?? 0) > 0 ? 'task' : 'person';
  return isMentionedUrl(url, view.turns, speaker) || options.isMentioned?.(url) === true;
}

function fail(life: Lifecycle, error: Error): void {
  life.failure ??= life.redactor.value(error);
  life.ending ??= 'error';
}

/** Children end first: SESSION_END is the last event, and readers end normally only if it was recorded. */
function finish(life: Lifecycle): Promise<void> {
  life.finishing ??= (async () => {
    life.stopper.abort();
    await life.subagents.closeAll(life.ending ?? 'closed');
    await life.hooks?.end();
    life.state = 'CLOSED';
    const end: SessionEvent = { kind: 'SESSION_END', sessionId: life.sessionId, reason: life.ending ?? 'closed' };
    const problem = attempt(() => record(life, end));
    attempt(() => life.recorder.close(problem === null ? undefined : (life.failure ?? problem)));
  })();
  return life.finishing;
}

/** A full disk must not hide how a session ended. */
function attempt(step: () => void): Error | null {
  try {
    step();
    return null;
  } catch (error) {
    return errorOf(error);
  }
}
