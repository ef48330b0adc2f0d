import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Simulator } from '@attractor/simulator';
import { describe, expect, it } from 'vitest';
import type { ProviderFactory } from '../provider.ts';
import { claudeTestVariables, installedClaudeSdk } from '../testing/claude-sdk.ts';
import { startContractModel, startFailingModel } from '../test-support/contract-model.ts';
import { providerContract, type ProviderWorld } from '../testing/index.ts';
import { createClaudeCodeProvider } from './claude-code.ts';

const sdk = await installedClaudeSdk();

async function makeWorld(sdkFolder: string): Promise<ProviderWorld> {
  const home = mkdtempSync(path.join(tmpdir(), 'claude-home-'));
  const servers = await Promise.all([
    startContractModel('mcp__files__file_read'),
    startFailingModel({ kind: 'unauthorized', times: 'forever' }),
    startFailingModel({ kind: 'rate_limit', times: 'forever' }),
    startFailingModel({ kind: 'not_found', times: 'forever' }),
    startFailingModel({ kind: 'stall', headers: 'held', times: 'forever' }),
  ]);
  const provider = (baseUrl: string): ProviderFactory =>
    createClaudeCodeProvider({
      sdkFolders: [sdkFolder],
      env: claudeTestVariables(home, baseUrl),
      model: 'claude-sonnet-4-5-20250929',
    });
  const [model, refusing, limiting, unknown, silent] = servers.map((server: Simulator) =>
    provider(server.baseUrls.anthropic),
  );
  if (!model || !refusing || !limiting || !unknown || !silent) throw new Error('a server is missing');
  return {
    provider: model,
    failing: {
      AuthenticationError: refusing,
      RateLimitError: limiting,
      NetworkError: provider('http://127.0.0.1:9'),
      InvalidResponseError: unknown,
    },
    silent,
    dispose: async () => {
      await Promise.all(servers.map((server) => server.close()));
      await removeSoon(home);
    },
  };
}

/** A process that was told to end may still write, so its home is removed last. */
async function removeSoon(home: string): Promise<void> {
  for (let tries = 0; tries < 100 && isHomeOfAny(home); tries++) await wait(100);
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
}

function isHomeOfAny(home: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
    } catch {
      return false;
    }
  });
}

const folder = 'folder' in sdk ? sdk.folder : '';
const why = 'missing' in sdk ? `, not tried here: ${sdk.missing}` : '';

describe.runIf('folder' in sdk)(`the claude-code provider with the real SDK${why}`, () => {
  it.concurrent.each(providerContract(() => makeWorld(folder)))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
