import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import type { HookHandler, HookRun, SettingOrigin } from '@attractor/settings';
import { gone, makeFolder } from '@attractor/base/testing';

import { createHooks, type Hooks, type HooksOptions } from './hooks.ts';

const { signal } = new AbortController();
const ORIGIN = { agent: 'claude-code', file: '/x/settings.json', line: 1, name: null } as const;
const USER: SettingOrigin = { ...ORIGIN, scope: 'user' };
const PROJECT: SettingOrigin = { ...ORIGIN, scope: 'project' };
const LOCAL: SettingOrigin = { ...ORIGIN, scope: 'local' };

const shell = (command: string): HookHandler => ({ kind: 'command', command });
const program = (script: string, ...words: ReadonlyArray<string>): HookHandler => ({
  kind: 'command',
  command: '/bin/sh',
  args: ['-c', script, ...words],
});

function open(handlers: ReadonlyArray<HookHandler>, origin: SettingOrigin, more: Partial<HooksOptions> = {}): Hooks {
  const environment = createLocalExecutionEnvironment(makeFolder());
  const hooks = createHooks({ definitions: [{ event: 'SessionStart', handlers, origin }], environment, ...more });
  onTestFinished(hooks.close);
  return hooks;
}

describe('where a hook runs', () => {
  it.each([
    ['a person’s own', USER, { places: ['own', 'own'], wrapped: 0, envFile: true }],
    ['that of a repository', PROJECT, { places: ['confined', 'confined'], wrapped: 1, envFile: false }],
    ['that of a repository’s local file', LOCAL, { places: ['confined', 'confined'], wrapped: 1, envFile: false }],
  ] as const)('%s', async (_whose, origin, expected) => {
    const roots = { own: makeFolder(), confined: makeFolder() };
    const wrapped: string[] = [];
    const told = 'touch "ran-$1"; [ -z "$CLAUDE_ENV_FILE" ] || touch variables';
    const hooks = open([shell(told.replace('$1', 'line')), program(told, 'sh', 'program')], origin, {
      environment: createLocalExecutionEnvironment(roots.own),
      confined: {
        environment: createLocalExecutionEnvironment(roots.confined),
        sandbox: {
          wrap: ({ argv: [file, ...args] }) => {
            wrapped.push(file);
            return {
              file,
              args,
              env: {},
              terminate: () => undefined,
              release: () => undefined,
              hasBegun: () => true,
              onStubborn: () => () => undefined,
              explain: () => [],
            };
          },
        },
      },
    });
    await hooks.fire('SessionStart', { source: 'startup' }, { signal });
    const placeOf = (name: string) => Object.entries(roots).find(([, root]) => existsSync(path.join(root, name)))?.[0];
    expect([placeOf('ran-line'), placeOf('ran-program')]).toEqual(expected.places);
    expect(wrapped).toHaveLength(expected.wrapped);
    expect(placeOf('variables') !== undefined).toBe(expected.envFile);
  });
});

describe('what a hook leaves', () => {
  it('is no process: what a program started and did not wait for ends with it', async () => {
    const pid = path.join(makeFolder(), 'pid');
    const hooks = open([program(`sleep 300 >/dev/null 2>&1 & echo $! > '${pid}'`)], USER);
    await hooks.fire('SessionStart', { source: 'startup' }, { signal });
    const left = Number(readFileSync(pid, 'utf8'));
    expect(left).toBeGreaterThan(1);
    await gone(left);
  });

  it('is of bounded size, in files for their owner alone', async () => {
    const outputFolder = path.join(makeFolder(), 'outputs');
    const hooks = open([program('yes word | head -c 5000000')], USER, { outputFolder });
    await hooks.fire('SessionStart', { source: 'startup' }, { signal });
    const [name = ''] = readdirSync(outputFolder);
    const { size, mode } = statSync(path.join(outputFolder, name));
    expect([size > 1_000_000, size < 1_100_000, mode & 0o777]).toEqual([true, true, 0o600]);
    expect(statSync(outputFolder).mode & 0o777).toBe(0o700);
  });
});

describe('what is told of a hook', () => {
  it('is without secrets: what it printed, and why it failed', async () => {
    const runs: HookRun[] = [];
    const handlers = [program('echo SECRET'), program('echo SECRET; echo SECRET >&2; exit 1')];
    const hooks = open(handlers, USER);
    const redact = (text: string): string => text.replaceAll('SECRET', '[gone]');
    await hooks.fire('SessionStart', { source: 'startup' }, { signal, redact, onRun: (run) => void runs.push(run) });
    const failed = { exitCode: 1, stdout: '[gone]', stderr: '[gone]', problem: 'It ended with code 1: [gone]' };
    expect(runs).toContainEqual(expect.objectContaining({ exitCode: 0, stdout: '[gone]' }));
    expect(runs).toContainEqual(expect.objectContaining(failed));
  });
});

describe('a hook at an address', () => {
  it('gets no header that a variable makes, and no more is read of its answer than a mebibyte', async () => {
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      seen.push([request.headers.authorization, request.headers['x-evil']]);
      response.end(JSON.stringify({ systemMessage: request.url === '/long' ? 'x'.repeat(1 << 20) : 'short' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const at = server.address();
    const base = `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`;
    const ends: Array<string | undefined> = [];
    const onRun = (run: HookRun): void => void (run.kind === 'ended' && ends.push(run.status));
    for (const page of ['/short', '/long']) {
      const headers = { Authorization: 'Bearer ${TOKEN}' };
      const handler: HookHandler = { kind: 'http', url: `${base}${page}`, headers, allowedEnvVars: ['TOKEN'] };
      const hooks = open([handler], USER, { variables: { TOKEN: 'a\r\nX-Evil: 1\0' } });
      const { messages } = await hooks.fire('SessionStart', { source: 'startup' }, { signal, onRun });
      expect(messages).toEqual(page === '/short' ? ['short'] : []);
    }
    const plain = ['Bearer aX-Evil: 1', undefined];
    expect(seen).toEqual([plain, plain]);
    expect(ends).toEqual(['success', 'error']);
  });
});
