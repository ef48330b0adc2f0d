import { createNativeAgent } from '@attractor/adapters';
import { createClient } from '@attractor/llm';
import { type ScriptInput, type Simulator, startSimulator } from '@attractor/simulator';
import { makeFolder } from '@attractor/store/testing';
import { onTestFinished } from 'vitest';
import { openTestPlatform } from './world.ts';

/** A platform whose agent is our own loop, on a scripted model; both end with the test. */
export async function openNativePlatform(
  script: ScriptInput,
  home = makeFolder(),
): Promise<{ readonly platform: Awaited<ReturnType<typeof openTestPlatform>>; readonly simulator: Simulator }> {
  const simulator = await startSimulator({ script });
  const client = createClient({
    configuration: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl: simulator.baseUrls.anthropic } } },
  });
  const platform = await openTestPlatform({
    home,
    agents: [createNativeAgent({ client, defaultProvider: 'anthropic', defaultModel: 'claude-sonnet-4-5' })],
  });
  onTestFinished(async () => {
    await platform.worker.close();
    await client.close();
    await simulator.close();
  });
  return { platform, simulator };
}
