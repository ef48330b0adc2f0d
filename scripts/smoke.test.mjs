import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startSimulator } from '@attractor/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';

const SMOKE = fileURLToPath(new URL('smoke.mjs', import.meta.url));

/** Runs the script with nothing but the given variables. */
const smoke = (env) =>
  promisify(execFile)(process.execPath, [SMOKE], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  }).catch((error) => error);

const script = (line) => ({
  turns: [
    { toolCalls: [{ use: 'write', path: 'hello.txt', content: 'Hello\n' }] },
    { text: 'Made.' },
    { toolCalls: [{ use: 'edit', path: 'hello.txt', old: 'Hello', new: line }] },
    { text: 'Edited.' },
    { toolCalls: [{ use: 'shell', command: 'cp hello.txt copy.txt' }] },
    { text: 'Copied.' },
  ],
});

async function against(turns) {
  const simulator = await startSimulator({ script: turns });
  onTestFinished(() => simulator.close());
  return smoke({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: simulator.baseUrls.anthropic });
}

describe('npm run smoke', () => {
  it('says what to set when there is no key, and is no failure', async () => {
    expect((await smoke({})).stdout).toMatch(/^Skipped: no key is set\. Set ANTHROPIC_API_KEY/);
  });

  it('walks through create, edit and shell, and checks the files', async () => {
    expect((await against(script('Goodbye'))).stdout).toMatch(/^anthropic: create, edit and shell work/);
  });

  it('fails when a file is not what was asked for', async () => {
    const { code, stdout } = await against(script('Nonsense'));
    expect([code, stdout]).toEqual([1, expect.stringContaining('Nonsense')]);
  });
});
