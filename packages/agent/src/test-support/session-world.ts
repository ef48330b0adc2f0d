import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createMemoryJournal, type Journal } from '@attractor/journal';

import { createAnthropicProfile } from '../profiles/anthropic.ts';
import type { Session, SessionOptions } from '../contract/session.ts';
import { createSession } from '../session/session.ts';
import type { DeliveredEvent, EventKind, RegisteredTool, SessionConfig } from '../types/index.ts';
import { createScriptedClient, type Script, type ScriptedClient } from '../testing/scripted-client.ts';
import { makeFolder } from '@attractor/base/testing';

export type SessionWorld = {
  readonly root: string;
  readonly session: Session;
  readonly client: ScriptedClient;
  readonly journal: Journal;
  readonly options: SessionOptions;
  /** All events so far, as the first reader sees them. */
  readonly events: DeliveredEvent[];
  readonly kinds: () => ReadonlyArray<EventKind>;
};

export type WorldOptions = {
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: Partial<SessionConfig>;
  readonly tools?: ReadonlyArray<RegisteredTool>;
} & Partial<
  Pick<
    SessionOptions,
    | 'compaction'
    | 'memoryFile'
    | 'approve'
    | 'journal'
    | 'client'
    | 'askUser'
    | 'journalFor'
    | 'profiles'
    | 'profile'
    | 'depth'
    | 'agents'
    | 'toolSources'
    | 'policy'
  >
>;

/** A session on a real folder with a scripted model. */
export function makeSession(replies: Script, more: WorldOptions = {}): SessionWorld {
  const root = makeFolder(more.files);
  const client = createScriptedClient(replies);
  const { files: _files, config, tools = [], profile = createAnthropicProfile(), ...rest } = more;
  for (const tool of tools) profile.toolRegistry.register(tool);
  const journal = more.journal ?? createMemoryJournal();
  const options: SessionOptions = {
    client,
    environment: createLocalExecutionEnvironment(root),
    ...rest,
    profile,
    journal,
    config: { model: 'scripted', provider: 'scripted', ...config },
  };
  const session = createSession(options);
  const events: DeliveredEvent[] = [];
  follow(session, events).catch(() => undefined);
  return { root, session, client, journal, options, events, kinds: () => events.map(({ kind }) => kind) };
}

export async function follow(session: Session, events: DeliveredEvent[]): Promise<void> {
  for await (const event of session.events()) events.push(event);
}

/** Lets readers of the event stream catch up. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A tool that counts how often it ran. */
export function countingTool(name = 'count'): RegisteredTool & { readonly runs: () => number } {
  let runs = 0;
  return {
    definition: {
      name,
      description: 'Counts.',
      parameters: { type: 'object', properties: { n: { type: 'integer' } } },
    },
    executor: async () => `ran ${++runs}`,
    runs: () => runs,
  };
}
