import { createRecallTool } from '../compaction/recall-tool.ts';
import { hostVariables } from '@attractor/system';
import { createEventRedactor, type Journal } from '@attractor/journal';
import { createRedactor, secretValues } from '@attractor/redact';
import type { PermissionMode } from '@attractor/policy';
import { createAgentTool, runAsChildren } from '../subagent/agent-tool.ts';
import { createSubagents, type Subagents, type SubagentsOptions } from '../subagent/subagents.ts';
import { createSubagentTools } from '../subagent/tools.ts';
import type { OpenChild } from '../subagent/child.ts';
import type { DeliveredEvent } from '../types/index.ts';
import { withVariables } from '../hooks/variables.ts';
import type { SessionOptions } from '../contract/session.ts';
import { createEventStream, type ReadStored } from './event-stream.ts';
import { createLeavable } from './leavable.ts';
import { record, refreshSettings, signalOf, type Lifecycle } from './lifecycle.ts';
import { createAskUserTool, createQuestions } from './questions.ts';
import { createRecorder } from './recorder.ts';
import { deliveredEvent, type Replay } from './replay.ts';
import { type ConfirmChanged, createConfirmChanged } from './confirm-changed.ts';
import { createSessionHooks, type SessionHooks, type SessionHooksSource } from './session-hooks.ts';
import { settingsOf, type OwnTool } from './settings.ts';
import { underPolicy } from './under-policy.ts';

const MAX_DEPTH = 1;
const MAX_CONCURRENT = 4;

export type LifecycleSource = {
  readonly options: SessionOptions;
  readonly sessionId: string;
  readonly past: Replay;
  readonly openChild: (life: Lifecycle) => OpenChild;
};

/** Puts the parts of a session together. Nothing has happened yet. */
export function createLifecycle({ options: given, sessionId, past, openChild }: LifecycleSource): Lifecycle {
  const { options, policy } = underPolicy(withHookVariables(given));
  const { view, lastSeq, respondedAt = null } = past;
  const stream = createEventStream({ lastSeq, readStored: storedIn(options.journal, sessionId) });
  const redactor = options.redactor ?? createRedactor({ secrets: secretValues(hostVariables()) });
  const depth = options.depth ?? 0;
  const { maxSubagentDepth: maxDepth = MAX_DEPTH, maxConcurrentSubagents: maxConcurrent = MAX_CONCURRENT } =
    options.config;
  const subagents = createSubagents({
    known: () => life.view.subagents,
    record: (event) => record(life, event),
    openChild: (order, place) => openChild(life)(order, place),
    placeFor: placeFinder(options),
    limits: () => ({ depth, maxDepth, maxConcurrent }),
    model: () => life.settings.config.model,
    hasJournals: options.journalFor !== undefined,
  });
  const ownTools = agentTools(options, subagents, depth < maxDepth);
  if (options.compaction !== undefined) ownTools.push({ tool: createRecallTool(() => life.view), isOffered: true });
  if (options.askUser !== undefined)
    ownTools.push({ tool: createAskUserTool(() => life.view, options.questionPreviews), isOffered: true });
  const profiles = new Map([...(options.profiles ?? []), options.profile].map((profile) => [profile.id, profile]));
  const confirmChanged = confirmerOf(() => life, { ...options, sessionId });
  const life: Lifecycle = {
    options,
    policy,
    sessionId,
    stream,
    recorder: createRecorder({ sessionId, lastSeq, journal: options.journal, stream }),
    stopper: new AbortController(),
    turn: new AbortController(),
    leavable: createLeavable(),
    inputs: 0,
    questions: createQuestions({
      askUser: options.askUser,
      view: () => life.view,
      record: (event) => record(life, event),
    }),
    confirmChanged,
    hooks: hooksOf(() => life, { options, sessionId, redactor, isResumed: lastSeq > 0, confirmChanged }),
    subagents,
    ownTools,
    profiles,
    changes: [],
    respondedAt,
    redactor,
    redact: createEventRedactor(redactor),
    meant: [],
    view,
    settings: settingsOf({ options, profiles, ownTools, configured: view.configured }),
    state: view.questions.length > 0 ? 'AWAITING_INPUT' : 'IDLE',
    ending: null,
    failure: null,
    working: Promise.resolve(),
    finishing: null,
  };
  return life;
}

function agentTools({ agents = [], openPlace }: SessionOptions, subagents: Subagents, isOffered: boolean): OwnTool[] {
  const tools = createSubagentTools(subagents);
  const run = runAsChildren(() => subagents, openPlace);
  return [...tools, ...(agents.length === 0 ? [] : [createAgentTool({ agents, run })])].map((tool) => ({
    tool,
    isOffered,
  }));
}

function placeFinder({ agents = [], openPlace }: SessionOptions): NonNullable<SubagentsOptions['placeFor']> {
  return ({ agent: name, worktree }) => {
    const agent = agents.findLast((one) => one.name === name);
    return agent === undefined ? null : (openPlace?.(agent, worktree) ?? null);
  };
}

function confirmerOf(
  life: () => Lifecycle,
  from: Pick<SessionOptions, 'approve'> & { readonly sessionId: string },
): ConfirmChanged {
  return createConfirmChanged({
    approve: from.approve,
    sessionId: from.sessionId,
    signal: () => life().stopper.signal,
    mode: () => modeOf(life()),
    view: () => life().view,
    record: (event) => record(life(), event),
  });
}

const NO_SKILLS = 'the session was opened without the files of a person.';

type HooksFrom = Pick<SessionHooksSource, 'options' | 'sessionId' | 'redactor' | 'isResumed' | 'confirmChanged'>;

function hooksOf(life: () => Lifecycle, from: HooksFrom): SessionHooks | undefined {
  return createSessionHooks({
    ...from,
    signal: () => signalOf(life()),
    view: () => life().view,
    respondedAt: () => life().respondedAt,
    settings: () => life().settings,
    mode: () => modeOf(life()),
    readSkillsAgain: async () => {
      const unread = (await from.options.readSkillsAgain?.()) ?? null;
      refreshSettings(life());
      return from.options.readSkillsAgain === undefined ? NO_SKILLS : unread;
    },
    // A hook that nobody waited for may end after the session: SESSION_END stays the last event.
    record: (event) => {
      if (life().state !== 'CLOSED') record(life(), event);
    },
  });
}

function modeOf({ policy }: Lifecycle): PermissionMode {
  return policy?.current().mode ?? 'default';
}

/** A child uses its parent's environment, which has the variables already. */
function withHookVariables(given: SessionOptions): SessionOptions {
  const { hooks, environment, asSubagent } = given;
  if (hooks === undefined || asSubagent !== undefined) return given;
  return { ...given, environment: withVariables(environment, hooks.variables) };
}

function storedIn(journal: Journal | undefined, sessionId: string): ReadStored {
  return (afterSeq, uptoSeq) => {
    if (journal === undefined) return null;
    try {
      const found: DeliveredEvent[] = [];
      for (const stored of journal.records?.(afterSeq) ?? journal.read(afterSeq)) {
        const event = stored.seq <= uptoSeq ? deliveredEvent(stored, sessionId) : null;
        if (event !== null) found.push(event);
      }
      return found;
    } catch {
      return null;
    }
  };
}
