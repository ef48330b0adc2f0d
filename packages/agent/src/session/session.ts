import { agentNamed } from '../subagent/agent-named.ts';
import type { Journal, JournalRecord } from '@attractor/journal';
import { defined } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { childMeans, type ChildOrder, type OpenChild } from '../subagent/child.ts';
import type { ToolResult } from '../types/index.ts';
import { runAsChildren } from '../subagent/agent-tool.ts';
import { NO_OUTCOME } from '@attractor/settings';
import { configure } from './configure.ts';
import type { Approve, AsSubagent, DelegatedOrder, Session, SessionOptions } from '../contract/session.ts';
import { createLifecycle } from './create-lifecycle.ts';
import { cancel, enqueue, isMentioned, record, stop, type Lifecycle } from './lifecycle.ts';
import { owedEvents, replay } from './replay.ts';
import { transcriptOf } from './session-hooks.ts';
import { tokensInUse } from '../conversation/context-tracker.ts';
import { EMPTY_VIEW, queuedInput } from '../conversation/view.ts';
import { rememberFile } from '../tools/seen-files.ts';

/** A new conversation. Nothing is asked or run before the first `submit`. */
export function createSession(options: SessionOptions): Session {
  const sessionId = options.sessionId ?? newId('ses');
  const past = { view: EMPTY_VIEW, lastSeq: 0 };
  const life = createLifecycle({ options, sessionId, past, openChild });
  record(life, { kind: 'SESSION_START', sessionId });
  return faceOf(life);
}

/**
 * The conversation in `options.journal`, from where it stopped. Calls that were running when the process died are answered as interrupted
 * and not run again; subagents that were working are reported as interrupted. `resume()` continues unfinished work.
 */
export function resumeSession(options: SessionOptions & { readonly journal: Journal }): Session {
  const past = replay(recordsOf(options.journal), options.config);
  const sessionId = past.view.sessionId ?? (past.lastSeq === 0 ? undefined : options.sessionId);
  if (sessionId === undefined) throw new Error('The journal holds no session: start a new one with createSession.');
  const life = createLifecycle({ options, sessionId, past, openChild });
  for (const event of owedEvents(past.view, { sessionId, hasJournals: options.journalFor !== undefined }))
    record(life, event);
  const damaged = options.journal.damaged?.length ?? 0;
  if (damaged > 0)
    record(life, {
      kind: 'WARNING',
      message: `${damaged} damaged records of the journal could not be read and were left out.`,
    });
  warnOfUnknownProfile(life);
  options.journal.sync();
  return faceOf(life);
}

function recordsOf(journal: Journal): Iterable<JournalRecord | null> {
  return journal.outline?.() ?? journal.records?.() ?? journal.read();
}

function warnOfUnknownProfile(life: Lifecycle): void {
  const { profile: wanted } = life.view.configured;
  if (wanted === undefined || life.profiles.has(wanted)) return;
  const message = `The session last used the profile ${wanted}, which was not given: it continues with ${life.settings.profile.id}.`;
  record(life, { kind: 'WARNING', message });
}

function openChild(life: Lifecycle): OpenChild {
  return (order, place) => {
    const { childSessionId } = order;
    const { journal: _own, askUser: _asked, saidMeanwhile: _toParent, ...shared } = life.options;
    const { rights, ...means } = childMeans({ options: life.options, ...life.settings }, order, place);
    const journal = life.options.journalFor?.(childSessionId);
    const options: SessionOptions = {
      ...shared,
      ...means,
      depth: (life.options.depth ?? 0) + 1,
      sessionId: childSessionId,
      isMentioned: (url) => isMentioned(life, url),
      asSubagent: asSubagent(life, order),
      ...defined({ approve: approvalOf(life.options.approve, order.id) }),
      ...(life.policy === undefined ? {} : { policy: life.policy.childOf(rights) }),
    };
    if (journal === undefined) return createSession(options);
    const holdsSession = Iterator.from(recordsOf(journal)).some((one) => one?.event.kind === 'SESSION_START');
    return holdsSession ? resumeSession({ ...options, journal }) : createSession({ ...options, journal });
  };
}

/** Whoever is asked is told which agent's call it is: the one that is furthest down. */
function approvalOf(approve: Approve | undefined, agentId: string): Approve | undefined {
  return approve && ((request, asking) => approve(request, { agentId, ...asking }));
}

function asSubagent({ options, sessionId }: Lifecycle, { id, agent }: ChildOrder): AsSubagent {
  const type = agent ?? 'general-purpose';
  const { rootSessionId, rootTranscript } = options.asSubagent ?? {
    rootSessionId: sessionId,
    rootTranscript: transcriptOf(options.journal),
  };
  return { id, type, rootSessionId, rootTranscript };
}

function faceOf(life: Lifecycle): Session {
  return {
    id: life.sessionId,
    confirmChanged: life.confirmChanged,
    fireHook: async (event, extras) => life.hooks?.fire(event, extras) ?? NO_OUTCOME,
    delegate: (order, signal) => delegate(life, order, signal),
    submit: async (input, { todo, called, key } = {}) => {
      if (life.ending !== null)
        throw new Error('The session is closed: resume it from its journal or start a new one.');
      await enqueue(life, { ...queuedInput(input), ...defined({ todo, called, key }), isFollowUp: false });
    },
    resume: () => (life.ending === null ? enqueue(life, null) : life.working),
    steer: (content, key) => {
      if (life.ending === null) record(life, { kind: 'STEERING_QUEUED', content, ...defined({ key }) });
    },
    followUp: (input) => {
      if (life.ending === null) record(life, { kind: 'FOLLOW_UP_QUEUED', ...queuedInput(input) });
    },
    answer: (toolCallId, answers) => life.ending === null && life.questions.answer(toolCallId, answers),
    configure: (changes) => {
      if (life.ending === null) configure(life, changes);
    },
    cancel: (which) => cancel(life, which),
    abort: () => stop(life, 'aborted'),
    close: () => stop(life, 'closed'),
    events: life.stream.read,
    state: () => life.state,
    tools: () => life.settings.registry.definitions(),
    history: () => life.view.turns,
    usage: () => life.view.usage,
    tokensInUse: () => tokensInUse(life.view),
    subagents: () => life.view.subagents,
    stopSubagent: (id) => life.subagents.close(id),
    leaveCalls: life.leavable.leave,
    countAsRead: (file) => rememberFile(life.options.environment, file),
    renewText: () => configure(life, { profile: life.settings.profile }),
    error: () => life.failure,
  };
}

async function delegate(life: Lifecycle, order: DelegatedOrder, signal: AbortSignal | undefined): Promise<ToolResult> {
  const { agents = [] } = life.options;
  const agent = agentNamed(agents, order.agent);
  if (agent === undefined) {
    const known = agents.map(({ name }) => name).join(', ');
    return { output: `There is no agent ${order.agent}. Known: ${known}.`, isError: true };
  }
  const model = order.model ?? agent.model;
  const chosen = model === undefined || model === 'inherit' ? {} : { model };
  const { maxTurns } = agent;
  const children = runAsChildren(() => life.subagents, life.options.openPlace);
  return children({ ...order, agent, ...chosen, ...defined({ maxTurns }) }, signal);
}
