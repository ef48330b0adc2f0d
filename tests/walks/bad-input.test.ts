import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { startSimulator, parseScript } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder as folderOf } from '@attractor/base/testing';
import { attractorHere, mostlyHere } from './attractor-here.ts';
import { ANYWHERE, type Ended, makeFolder, runAttractor } from './attractor.ts';

const attractor = mostlyHere(['dmeo', 'run', 'llm']);

/** Root may write anywhere; permission faults are real only for someone else. */
const NOBODY = ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

function expectOneClearLine(ended: Ended, expected: { readonly code: number; readonly says: RegExp }): void {
  expect(ended.stderr).toMatch(expected.says);
  // Where the command runs in the process of the tests, that process may warn of its own affairs meanwhile.
  const lines = ended.stderr
    .trim()
    .split('\n')
    .filter((line) => !/^\(node:\d+\) |^\(Use `node /.test(line));
  expect(lines.slice(1)).toEqual([]);
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

describe('what a script gets wrong, for each of the programs that it was written for', () => {
  const AT_NOBODY = Object.fromEntries(
    ['ANTHROPIC', 'OPENAI', 'GEMINI'].flatMap((name) => [
      [`${name}_API_KEY`, 'k'],
      [`${name}_BASE_URL`, 'http://127.0.0.1:1'],
    ]),
  );
  const argvOf = (line: string): ReadonlyArray<string> => {
    const words = line.split(' ');
    return words[0] === '-p' ? ['--allow-unsandboxed', ...words] : words.toSpliced(1, 0, '--allow-unsandboxed');
  };
  const ROWS: ReadonlyArray<readonly [line: string, code: number, says: RegExp]> = [
    ['-p hi --otput-format json', 2, /'--otput-format' \(Did you mean --output-format\?\)/],
    ['-p hi --output-format xml', 2, /'xml' is invalid.*text, json, stream-json/],
    ['-p hi --model', 2, /'--model <id>' argument missing/],
    ['-p hi --max-turns many', 2, /a number above 0, not 'many'/],
    ['-p hi --disallowedTools Bash(', 2, /--disallowed-tools: The rule "Bash\(" is not understood: expected/],
    ['-p hi --system-prompt a --system-prompt-file bad.json', 2, /are two whole prompts: give one of them/],
    ['-p hi --mcp-config none.json', 2, /'none\.json' is invalid.*no such file/],
    ['-p hi --mcp-config bad.json', 2, /'bad\.json' is invalid.*not valid JSON/],
    ['-p hi --settings none.json', 4, /none\.json: --settings names a file that is not there/],
    ['-p hi --settings {bad', 4, /--settings: not valid JSON/],
    ['-p hi --agent nobody', 3, /there is no agent nobody\. Known: general-purpose/],
    ['-p hi --resume nosuch', 3, /There is no session "nosuch": see `attractor sessions list`/],
    [
      '-p hi --resume --verbose',
      2,
      /'--verbose' is invalid\. it needs the id of a session, see `attractor sessions list`; --continue/,
    ],
    ['-p hi --ide', 2, /attractor: --ide is refused: no editor is looked for: see `attractor acp`\.$/m],
    ['-p hi --betas x --provider openai', 2, /--betas: only Anthropic's service knows this, and this run asks openai/],
    ['-p hi --task-budget 1000', 2, /the service takes a whole number of tokens from 20000 on/],
    ['-p hi --provider nope', 3, /unknown provider 'nope'\. Known: anthropic/],
    ['-p hi --add-dir /none', 3, /--add-dir: \/none is not a folder/],
    ['codex exec --modle gpt-5 hi', 2, /'--modle' \(did you mean --model\?\)/],
    ['codex exec -c modl=gpt-5 hi', 2, /-c modl: there is no such key \(did you mean model\?\)/],
    ['codex exec -s none hi', 2, /--sandbox takes read-only, workspace-write, danger-full-access, not 'none'/],
    ['codex exec --output-schema bad.json hi', 2, /: --output-schema: not valid JSON/],
    ['codex exec -C /none hi', 3, /--cd: \/none is not a folder/],
    ['codex exec --resume nosuch hi', 2, /unknown option '--resume'/],
    ['codex exec resume nosuch hi', 3, /There is no session "nosuch"/],
    ['codex exec', 2, /no prompt: pass it as `attractor codex exec "…"`/],
    ['gemini --prmpt hi', 2, /'--prmpt' \(did you mean --prompt\?\)/],
    [
      'gemini -p hi --approval-mode sometimes',
      2,
      /--approval-mode takes default, auto_edit, yolo, plan, not 'sometimes'/,
    ],
    ['gemini -p hi --include-directories /none', 42, /--include-directories: \/none is not a folder/],
    ['gemini -r nosuch -p hi', 42, /There is no session "nosuch": see `attractor sessions list`/],
    ['gemini -r 7 -p hi', 2, /--resume 7: sessions have no numbers here; give the id that/],
    ['gemini -p hi --allowed-mcp-server-names', 2, /--allowed-mcp-server-names needs a value/],
  ];

  test('one clear line each, and an exit code', async () => {
    const cwd = folderOf({ 'bad.json': 'not json' });
    for (const [line, code, says] of ROWS) {
      const ended = await attractorHere(argvOf(line), {
        home: makeFolder(),
        cwd,
        env: AT_NOBODY,
      });
      expect([line, ended.code]).toEqual([line, code]);
      expectOneClearLine(ended, { code, says });
    }
  });

  test('a session that is damaged, and a model that the service does not have', async () => {
    const service = createServer((_request, response) => {
      const error = { message: 'The model `nosuch` does not exist', code: 'model_not_found', status: 'NOT_FOUND' };
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const journal = '.attractor/sessions/ses_lost/journal.jsonl';
    for (const begin of ['', 'codex exec', 'gemini']) {
      const at = { cwd: makeFolder(), env: { ...AT_NOBODY, OPENAI_BASE_URL: base, GEMINI_BASE_URL: base } };
      const resume = begin === 'codex exec' ? 'resume ses_lost hi' : '-p hi --resume ses_lost';
      for (const text of ['', 'not a line of it\n']) {
        const home = folderOf({ [journal]: text });
        const lost = await attractorHere(argvOf(`${begin} ${resume}`.trim()), { ...at, home });
        expectOneClearLine(lost, { code: 1, says: /session ses_lost can.t be read.*replace it with a copy/ });
      }
      const folder = await attractorHere(argvOf(`${begin} ${resume}`.trim()), {
        ...at,
        home: folderOf({ [`${journal}/x`]: '' }),
      });
      expectOneClearLine(folder, {
        code: 1,
        says: /session ses_lost .*is a folder: replace it with a copy.*sessions delete/,
      });
      if (begin === '') continue;
      const line = `${begin === 'gemini' ? 'gemini -p' : begin} hi -m nosuch`;
      const unknown = await attractorHere(argvOf(line), { ...at, home: makeFolder() });
      expectOneClearLine(unknown, { code: 1, says: /model "nosuch" .*was not found.*Check the model name/ });
    }
    service.close();
  });

  test('files that can not be read, and a helper that is not there', async () => {
    const files: ReadonlyArray<readonly [line: string, file: Record<string, string>, code: number, says: RegExp]> = [
      [
        'codex exec hi',
        { '.codex/config.toml/x': '' },
        4,
        /config\.toml: can't be read.*make it readable, or remove it/,
      ],
      ['gemini -p hi', { '.gemini/settings.json/x': '' }, 52, /settings\.json: can't be read.*make it readable/],
      ['codex exec hi', { '.codex/config.toml': 'model = [\n' }, 4, /config\.toml:\d: not valid TOML/],
      ['gemini -p hi', { '.gemini/settings.json': '{bad' }, 52, /settings\.json:1: not valid JSON/],
      ...['-p hi', 'codex exec hi', 'gemini -p hi'].map(
        (line) =>
          [
            line,
            { '.claude/settings.json': '{"apiKeyHelper":"no-such-helper"}' },
            1,
            /"no-such-helper" gave no key: .*not found/,
          ] as const,
      ),
    ];
    for (const [line, file, code, says] of files) {
      const env = line === '-p hi' || says.source.includes('helper') ? {} : AT_NOBODY;
      const ended = await attractorHere(argvOf(line), {
        home: folderOf(file),
        cwd: makeFolder(),
        env,
      });
      expectOneClearLine(ended, { code, says });
    }
  });
});
