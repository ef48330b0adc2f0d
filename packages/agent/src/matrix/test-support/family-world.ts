import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defined } from '@attractor/base';
import { createClient } from '@attractor/llm';
import { startSimulator, type ScriptInput, type Simulator } from '@attractor/simulator';
import { onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../../execution/local.ts';
import { createProfile } from '../../profiles/choose.ts';
import type { Session } from '../../contract/session.ts';
import { createSession } from '../../session/session.ts';
import { follow } from '../../test-support/session-world.ts';
import { makeFolder } from '@attractor/base/testing';
import type { DeliveredEvent, ProviderProfile, RegisteredTool, SessionConfig } from '../../types/index.ts';
import { READERS, type Family, type Seen } from './seen.ts';

export type FamilyWorld = {
  readonly profile: ProviderProfile;
  readonly session: Session;
  readonly simulator: Simulator;
  readonly events: DeliveredEvent[];
  readonly content: (name: string) => string;
  /** What each answered request showed to the model; with a name, only the requests of that conversation of the script. */
  readonly seen: (conversationName?: string) => ReadonlyArray<Seen>;
};

export type FamilyScript = {
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: Partial<SessionConfig>;
  readonly tools?: ReadonlyArray<RegisteredTool>;
} & ScriptInput;

/** A session with one profile on a real folder. Its model is reached over a real HTTP connection, in that family's own protocol. */
export async function makeFamilyWorld(family: Family, more: FamilyScript): Promise<FamilyWorld> {
  const { files, config, tools, ...script } = more;
  const simulator = await startSimulator({ script });
  const settings = { apiKey: 'sk-test', baseUrl: simulator.baseUrls[family] };
  const client = createClient({
    configuration: { providers: { [family]: settings } },
    retry: { baseMs: 1, maxRetries: 2 },
  });
  onTestFinished(async () => {
    await client.close();
    await simulator.close();
  });
  const root = makeFolder(files);
  const profile = createProfile(family);
  for (const tool of tools ?? []) profile.toolRegistry.register(tool);
  const session = createSession({
    profile,
    client,
    environment: createLocalExecutionEnvironment(root),
    config: { provider: family, model: profile.defaultModel, ...config },
  });
  onTestFinished(() => session.close());
  const events: DeliveredEvent[] = [];
  void follow(session, events);
  return {
    profile,
    session,
    simulator,
    events,
    content: (name) => readFileSync(path.join(root, name), 'utf8'),
    seen: (conversationName) =>
      simulator
        .requests({
          protocol: family,
          status: 200,
          ...defined({ conversationName }),
        })
        .map(({ body }) => READERS[family](body)),
  };
}
