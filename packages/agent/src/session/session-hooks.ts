import path from 'node:path';
import { defined } from '@attractor/base';
import { type HookEventName, type HookOutcome, type HookRun, NO_OUTCOME } from '@attractor/settings';
import { newId } from '@attractor/base/id';
import { createHookOutputs, type Journal } from '@attractor/journal';
import type { PermissionMode } from '@attractor/policy';
import type { Redactor } from '@attractor/redact';
import type { SessionEvent, LoadedDocument } from '../types/index.ts';
import type { SessionOptions } from '../contract/session.ts';
import type { ConfirmChanged } from './confirm-changed.ts';
import { contextOf } from './hook-context.ts';
import { lastWords, resumedFacts } from './hook-facts.ts';
import { stopFailureOf } from './hook-failure.ts';
import { createSurroundings } from './look-around.ts';
import type { Settings } from './settings.ts';
import type { SessionView } from '../conversation/view.ts';

/**
 * The hooks of one session: they are called in its name, and each handler's start and end is recorded. If one demands a stop, the work
 * stops after the current step, and the next input starts afresh.
 */
export type SessionHooks = {
  /** The session is a subagent's. */
  readonly isChild: boolean;
  /** The session's own transcript path; empty if it is not kept in a file. */
  readonly transcript: string;
  readonly has: (event: HookEventName) => boolean;
  readonly fire: (event: HookEventName, extras: Readonly<Record<string, unknown>>) => Promise<HookOutcome>;
  /** Documents that the model gets; hooks are told of them with the next look around. */
  readonly instructed: (documents: ReadonlyArray<LoadedDocument>) => void;
  /** Tells hooks what happened beside the calls of a round: documents that came, files that changed. */
  readonly lookAround: () => Promise<void>;
  /** What a hook says in front of the person's first words; once. */
  readonly takeInitialMessage: () => string | null;
  /** Fires SessionStart or SubagentStart, once. */
  readonly begin: () => Promise<void>;
  /** Each input is a prompt of its own. */
  readonly nextPrompt: () => void;
  /** Context for the model's next request. */
  readonly tell: (event: HookEventName, context: ReadonlyArray<string>) => void;
  readonly stop: (reason: string) => void;
  /** Why a hook stopped the work on this prompt; null: none did. */
  readonly stopped: () => string | null;
  readonly failed: (error: Error) => Promise<void>;
  /** Fires SessionEnd, if the session had begun. */
  readonly end: () => Promise<void>;
};

export type SessionHooksSource = {
  readonly options: SessionOptions;
  readonly sessionId: string;
  readonly isResumed: boolean;
  readonly redactor: Redactor;
  readonly signal: () => AbortSignal;
  readonly view: () => SessionView;
  readonly respondedAt: () => number | null;
  readonly settings: () => Settings;
  readonly mode: () => PermissionMode;
  readonly record: (event: SessionEvent) => void;
  readonly confirmChanged: ConfirmChanged;
  /** Reads skills again: null, or why it was not done. */
  readonly readSkillsAgain: () => Promise<string | null>;
};

export function createSessionHooks(source: SessionHooksSource): SessionHooks | undefined {
  const { options, record } = source;
  const { hooks } = options;
  if (hooks === undefined) return undefined;
  const state = createState();
  const isChild = options.asSubagent !== undefined;
  const fire = async (event: HookEventName, extras: Extras, signal = source.signal()): Promise<HookOutcome> => {
    const outcome = await fireFor(source, { event, extras, promptId: state.promptId, signal });
    watch(outcome.watchPaths);
    if (outcome.title !== null && !isChild) record({ kind: 'CONFIGURED', title: outcome.title });
    const unread = outcome.reloadsSkills && !isChild ? await source.readSkillsAgain() : null;
    if (unread !== null) record({ kind: 'WARNING', message: `${event} hook: skills were not read again: ${unread}` });
    tellUnheeded(state.unheeded, outcome, (text) => record({ kind: 'WARNING', message: `${event} hook: ${text}` }));
    return outcome;
  };
  const stop = (reason: string): void => void (state.stopped ??= reason);
  const tell = (event: HookEventName, context: ReadonlyArray<string>): void => {
    if (context.length > 0) record({ kind: 'STEERING_QUEUED', content: contextOf(event, context), source: 'hook' });
  };
  const folder = (): string => path.resolve(options.environment.workingDirectory(), source.view().workingDir);
  const around = { hooks, settingFiles: options.settingFiles ?? [], folder, isChild, fire, tell, record };
  const { watch, instructed, lookAround } = createSurroundings(around);
  return {
    isChild,
    transcript: transcriptOf(options.journal),
    has: hooks.has,
    fire,
    tell,
    stop,
    stopped: () => state.stopped,
    instructed,
    lookAround,
    takeInitialMessage: () => taken(state),
    nextPrompt: () => {
      state.stopped = null;
      state.promptId = newId('prompt');
    },
    begin: async () => {
      if (state.begun) return;
      await begin(source, state, { fire, tell, stop });
      await lookAround();
    },
    failed: async (failure) => {
      await fire('StopFailure', failureFacts(source.view(), failure)).catch(() => undefined);
    },
    // The session's own signal has fired by now, so this uses a new one.
    end: async () => {
      if (state.begun && !isChild)
        await fire(
          'SessionEnd',
          { reason: options.circumstances?.exit?.() ?? 'other' },
          new AbortController().signal,
        ).catch(() => undefined);
    },
  };
}

function failureFacts({ turns }: SessionView, failure: Error): Extras {
  const said = turns.map((turn) => lastWords({ turns: [turn] })).findLast((text) => text !== '');
  return { ...stopFailureOf(failure), ...defined({ last_assistant_message: said }) };
}

type Means = Pick<SessionHooks, 'fire' | 'tell' | 'stop'>;

async function begin(source: SessionHooksSource, state: State, means: Means): Promise<void> {
  const { options, isResumed } = source;
  state.begun = true;
  const { fire, tell, stop } = means;
  const { setupTrigger: trigger, asSubagent } = options;
  const isChild = asSubagent !== undefined;
  if (!isChild && trigger !== undefined) tell('Setup', (await fire('Setup', { trigger })).context);
  const event = isChild ? 'SubagentStart' : 'SessionStart';
  const begun = await fire(event, isChild ? {} : startFacts(source));
  tell(event, begun.context);
  state.initial = isResumed ? null : begun.initialMessage;
  if (begun.stop !== null) stop(begun.stop);
}

function startFacts({ options, settings, view, respondedAt, isResumed }: SessionHooksSource): Extras {
  const { model } = settings().config;
  const { title: session_title } = view().configured;
  const begunBy = options.circumstances?.begunBy ?? (isResumed ? 'resume' : 'startup');
  const past = isResumed ? resumedFacts({ view: view(), respondedAt: respondedAt() }, model) : {};
  return { source: begunBy, model, ...defined({ session_title }), ...past };
}

type State = {
  begun: boolean;
  stopped: string | null;
  promptId: string;
  /** What a hook says before the person. */
  initial: string | null;
  readonly unheeded: Set<string>;
};

function createState(): State {
  return { begun: false, stopped: null, promptId: newId('prompt'), initial: null, unheeded: new Set() };
}

function taken(state: State): string | null {
  const message = state.initial;
  state.initial = null;
  return message;
}

/** What an answer asks for in vain is said once in a session. */
function tellUnheeded(known: Set<string>, { unheeded }: HookOutcome, say: (text: string) => void): void {
  for (const text of unheeded.filter((one) => !known.has(one))) {
    known.add(text);
    say(`${text}.`);
  }
}

type Extras = Readonly<Record<string, unknown>>;

type Fire = {
  readonly event: HookEventName;
  readonly extras: Extras;
  readonly promptId: string;
  readonly signal: AbortSignal;
};

async function fireFor(source: SessionHooksSource, { event, extras, promptId, signal }: Fire): Promise<HookOutcome> {
  const { options, redactor, record, view } = source;
  if (options.hooks?.has(event) !== true) return NO_OUTCOME;
  const call = typeof extras['tool_use_id'] === 'string' ? { toolCallId: extras['tool_use_id'] } : {};
  const saidBy = createHookOutputs(redactor);
  const outcome = await options.hooks.fire(
    event,
    { ...commonOf(source, promptId), hook_event_name: event, ...extras },
    {
      signal,
      workingDir: view().workingDir,
      redact: redactor.text,
      ...(NOBODY_WAITS.has(event)
        ? {}
        : { onChanged: (changed) => source.confirmChanged(`the ${event} hook`, changed) }),
      onRun: (run) => {
        record({ ...eventOf(run), ...call });
        const problem = run.kind === 'ended' ? run.problem : undefined;
        if (problem !== undefined)
          record({ kind: 'WARNING', message: `The ${event} hook "${run.handler}" failed. ${problem}` });
      },
      onSaid: (said) => {
        const told = saidBy(said);
        if (told !== null) record({ ...told, ...call });
      },
      onLate: ({ context, messages }) => {
        if (signal.aborted) return;
        for (const message of messages) record({ kind: 'WARNING', message });
        if (context.length > 0) record({ kind: 'STEERING_QUEUED', content: contextOf(event, context), source: 'hook' });
      },
    },
  );
  for (const message of outcome.messages) record({ kind: 'WARNING', message });
  return outcome;
}

/** A question that these wait for would come when nobody listens any more, or in the middle of another one. */
const NOBODY_WAITS: ReadonlySet<HookEventName> = new Set<HookEventName>(['Notification', 'SessionEnd', 'StopFailure']);

/** What every hook is told, in the published spelling. */
function commonOf({ options, sessionId, view, settings, mode }: SessionHooksSource, promptId: string): Extras {
  const { asSubagent, environment, journal } = options;
  const { reasoningEffort } = settings().config;
  return {
    session_id: asSubagent?.rootSessionId ?? sessionId,
    prompt_id: promptId,
    transcript_path: asSubagent?.rootTranscript ?? transcriptOf(journal),
    cwd: path.resolve(environment.workingDirectory(), view().workingDir),
    permission_mode: mode(),
    ...(reasoningEffort === undefined ? {} : { effort: { level: reasoningEffort } }),
    ...defined({ agent_type: options.circumstances?.agentType }),
    ...(asSubagent === undefined ? {} : { agent_id: asSubagent.id, agent_type: asSubagent.type }),
  };
}

function eventOf({ kind, ...about }: HookRun): SessionEvent {
  return kind === 'started'
    ? { ...about, kind: 'HOOK_STARTED' }
    : { durationMs: 0, status: 'success', ...about, kind: 'HOOK_ENDED' };
}

/** Empty if the session is not kept in a file. */
export function transcriptOf(journal: Journal | undefined): string {
  return journal !== undefined && 'path' in journal && typeof journal.path === 'string' ? journal.path : '';
}
