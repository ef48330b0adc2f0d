import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { startSimulator, parseScript } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { ANYWHERE, type Ended, makeFolder, runAttractor } from './attractor.ts';

const attractor = mostlyHere(['dmeo', 'run', 'llm']);

/** Root may write anywhere; permission faults are real only for someone else. */
const NOBODY = ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

function expectOneClearLine(ended: Ended, expected: { readonly code: number; readonly says: RegExp }): void {
  expect(ended.stderr).toMatch(expected.says);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  expect(ended.stderr).not.toMatch(/\n\s+at |node:internal/);
  expect(ended.code).toBe(expected.code);
}

describe('bad input gets one clear line and the right exit code', () => {
  test('an unknown command', async () => {
    expectOneClearLine(await attractor(['dmeo'], { home: makeFolder() }), {
      code: 2,
      says: /unknown command 'dmeo'.*--help/,
    });
  });

  test('an unknown flag', async () => {
    expectOneClearLine(await attractor(['doctor', '--jsno'], { home: makeFolder() }), {
      code: 2,
      says: /unknown option '--jsno'/,
    });
  });

  test('a flag that wants a number', async () => {
    const ended = await attractor(['llm', 'stream', '--max-retries', 'many'], { home: makeFolder() });
    expectOneClearLine(ended, { code: 2, says: /whole number/ });
  });

  test('a request that is not JSON', async () => {
    const ended = await attractor(['llm', 'stream', '--model', 'm'], { home: makeFolder(), stdin: 'hello' });
    expectOneClearLine(ended, { code: 2, says: /not valid JSON/ });
  });

  test('a script that is not there, and one that is wrong', async () => {
    const home = makeFolder();
    expectOneClearLine(await attractor(['simulate', '--script', 'none.yaml'], { home }), {
      code: 3,
      says: /none\.yaml/,
    });
    writeFileSync(path.join(home, 'wrong.yaml'), 'turns:\n  - txet: hello\n');
    expectOneClearLine(await attractor(['simulate', '--script', 'wrong.yaml'], { home }), {
      code: 4,
      says: /turns\[0\].*txet/,
    });
  });

  test('a folder that is not a git repository', async () => {
    const ended = await attractor(['run', 'do something'], {
      home: makeFolder(),
      env: { ANTHROPIC_API_KEY: 'none' },
    });
    expectOneClearLine(ended, { code: 4, says: /not (in )?a git repository.*git init/ });
  });

  test('no key for any model', async () => {
    const ended = await attractor(['run', 'do something'], { home: makeFolder() });
    expectOneClearLine(ended, { code: 6, says: /ANTHROPIC_API_KEY.*config\.json/ });
  });

  test('corrupt configuration names the file, the line and the way out', async () => {
    const home = makeFolder();
    mkdirSync(path.join(home, '.attractor'));
    writeFileSync(path.join(home, '.attractor', 'config.json'), '{\n  "provider": "anthropic",\n  "model" "x"\n}\n');
    const ended = await attractor(['run', 'do something'], { home });
    expectOneClearLine(ended, { code: 4, says: /config\.json:3: not valid JSON.*remove the file/ });
  });

  test('configuration with an unknown key or a wrong type', async () => {
    const home = makeFolder();
    mkdirSync(path.join(home, '.attractor'));
    const file = path.join(home, '.attractor', 'config.json');
    writeFileSync(file, '{ "modle": "x" }');
    expectOneClearLine(await attractor(['run', 'x'], { home }), {
      code: 4,
      says: /unknown key "modle".*Known keys/,
    });
    writeFileSync(file, '{ "model": 7 }');
    expectOneClearLine(await attractor(['run', 'x'], { home }), { code: 4, says: /"model" must be a string/ });
  });

  test('a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    expectOneClearLine(await attractor(['serve', '--port', port, ...ANYWHERE], { home: makeFolder() }), {
      code: 1,
      says: /ort \d+ is in use.*--port/,
    });
  });

  test('an address that other machines can reach', async () => {
    expectOneClearLine(await attractor(['serve', '--host', '0.0.0.0', ...ANYWHERE], { home: makeFolder() }), {
      code: 4,
      says: /reached from other machines/,
    });
  });

  test('a home folder that can not be written to', async () => {
    const home = makeFolder();
    chmodSync(home, 0o755);
    const ended = await runAttractor(['serve', '--port', '0', '--allow-unsandboxed'], {
      home,
      cwd: '/',
      through: NOBODY,
    });
    expectOneClearLine(ended, { code: 5, says: /can.?t be written|not writable|permission/i });
  });
});

describe('what a service refuses is said in its own class, on stdout, with exit code 1', () => {
  const request = JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] });

  async function askScripted(script: unknown): Promise<Readonly<Record<string, unknown>>> {
    const parsed = parseScript(script);
    if (!parsed.ok) throw new Error(parsed.error.message);
    const simulator = await startSimulator({ script: parsed.script });
    onTestFinished(() => simulator.close());
    const ended = await attractor(
      [
        'llm',
        'stream',
        '--provider',
        'anthropic',
        '--model',
        'claude-nope',
        '--base-url',
        simulator.baseUrls.anthropic,
        '--max-retries',
        '0',
      ],
      {
        home: makeFolder(),
        stdin: request,
        env: { ANTHROPIC_API_KEY: 'wrong' },
      },
    );
    expect(ended.code).toBe(1);
    return JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '{}') as Readonly<Record<string, unknown>>;
  }

  test('a wrong key', async () => {
    expect(await askScripted({ apiKeys: ['right'], turns: [{ text: 'hi' }] })).toMatchObject({
      type: 'error',
      class: 'auth',
      status: 401,
      retryable: false,
    });
  });

  test('an unknown model', async () => {
    expect(await askScripted({ models: ['claude-real'], turns: [{ text: 'hi' }] })).toMatchObject({
      type: 'error',
      class: 'invalid_request',
      status: 404,
      retryable: false,
    });
  });
});
