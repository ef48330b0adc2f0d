import type { Agent, AgentChanges, PersonMessage } from '@attractor/adapters';
import { defined } from '@attractor/base';
import { findRunRequest, listMessages, taskSubject } from '@attractor/store';
import { resultOf, type RunContext } from '../run-context/run-context.ts';
import { recordDelivery } from './person-messages.ts';

const PAUSE_MS = 100;

export type FollowOptions = {
  readonly agent: Agent;
  /** What the agent was called with. */
  readonly given: { readonly changes: AgentChanges; readonly messages: ReadonlyArray<PersonMessage> };
  /** A person wants the agent to give up what it is doing. Absent: it can't be called again for that. */
  readonly onInterrupt: (() => void) | undefined;
};

/**
 * Brings what people say, and what they change, to an agent that works: each message when it comes, each change for the next round. What the
 * agent can't take now waits for its next call.
 */
export function followPerson(context: RunContext, { agent, given: called, onInterrupt }: FollowOptions) {
  const { services, task, state } = context;
  const runId = state.run.id;
  const given = new Set(called.messages.map(({ key }) => key));
  let applied = JSON.stringify(called.changes);
  let looking: Promise<void> | null = null;
  let recording: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const soon = (): void => {
    timer ??= setTimeout(start, PAUSE_MS);
  };
  const look = async (): Promise<void> => {
    const open = await listMessages(services.store.read, task.id, 'undelivered');
    if (onInterrupt !== undefined && open.some(({ id, interrupts }) => interrupts && !given.has(id)))
      return onInterrupt();
    for (const { id, text } of open) agent.steer?.(runId, { key: id, text });
    const changes = await changesNow(context);
    if (JSON.stringify(changes) === applied) return;
    applied = JSON.stringify(changes);
    agent.adjust?.(runId, changes);
  };
  // A failed look is made up for by the next change.
  const start = (): void => {
    timer = undefined;
    looking = look().catch(() => undefined);
  };
  const stopListening = services.store.onChange(soon, ['task_messages', 'run_wishes'], taskSubject(task.id));
  // Something may have been said between the agent's call and this line.
  soon();
  return {
    /** What could not be recorded is reported again by the agent's next call. */
    taken: (key: string): void => {
      const record = () => context.transact((tx) => recordDelivery(tx, context, { id: key, via: 'steering' }));
      recording = recording.then(record).catch(() => undefined);
    },
    stop: async (): Promise<void> => {
      stopListening();
      clearTimeout(timer);
      await looking;
      await recording;
    },
  };
}

/** What a person wants of the run by now, over what its configuration said. */
export async function changesNow(context: RunContext): Promise<AgentChanges> {
  const { config } = resultOf(context, 'configure');
  const { overrides } = await findRunRequest(context.services.store.read, context.state.run.id);
  const { model, effort, permissionMode } = { ...config, ...overrides };
  return defined({ model, effort, permissionMode });
}
