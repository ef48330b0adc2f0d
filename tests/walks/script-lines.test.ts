import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseScript, startSimulator } from '@attractor/simulator';
import { describe, expect, test } from 'vitest';
import { attractorHere } from './attractor-here.ts';
import { COMMAND, makeFolder, runAttractor } from './attractor.ts';
import { CLAUDE_LINES, CODEX_LINES, GEMINI_LINES, type ScriptLine } from './test-support/script-lines.ts';
import { readScriptLine } from './test-support/read-script-line.ts';

const FILES = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX'];

/** Also where no tool for it is offered. */
const write = (file: string): unknown => ({ name: 'write_file', args: { file_path: file, content: 'x' } });

const CONVERSATIONS: ReadonlyArray<unknown> = [
  ...FILES.map((file) => ({
    match: { firstUser: `typo in ${file}` },
    turns: [{ toolCalls: [write(file)] }, { text: 'Answer.', repeat: 'forever' }],
  })),
  { match: { firstUser: 'read on' }, turns: [{ toolCalls: [{ use: 'read', path: 'notes.txt' }], repeat: 'forever' }] },
  {
    match: { firstUser: 'look it up' },
    turns: [
      { toolCalls: [{ name: 'web_search', args: { query: 'what is x, and why?' } }] },
      { text: 'Looked.', repeat: 'forever' },
    ],
  },
  {
    match: { firstUser: 'what is x, and why?' },
    turns: [{ text: 'Here it is.', found: [{ url: 'https://a.test/x', title: 'About X' }] }],
  },
  { match: { firstUser: 'count' }, turns: [{ text: '{"sum":3}', repeat: 'forever' }] },
  { turns: [{ text: 'Answer.', repeat: 'forever' }] },
];

const AGENTS = [
  { name: 'claude', provider: 'anthropic', key: 'ANTHROPIC', lines: CLAUDE_LINES, words: [], atLeast: 25 },
  { name: 'codex', provider: 'openai', key: 'OPENAI', lines: CODEX_LINES, words: ['codex'], atLeast: 12 },
  { name: 'gemini', provider: 'gemini', key: 'GEMINI', lines: GEMINI_LINES, words: ['gemini'], atLeast: 12 },
] as const;

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function makeScriptWorld({ provider, key }: (typeof AGENTS)[number]) {
  const parsed = parseScript({ conversations: CONVERSATIONS });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  const [home, folder] = [makeFolder(), makeFolder()];
  writeFileSync(path.join(folder, 'notes.txt'), 'one\ntwo\n');
  writeFileSync(path.join(folder, 'CLAUDE.md'), 'OF THE PROJECT');
  writeFileSync(path.join(folder, 'schema.json'), '{"type":"object","properties":{"sum":{"type":"number"}}}');
  writeFileSync(path.join(folder, 'dot.png'), Buffer.from(DOT, 'base64'));
  const env = { [`${key}_API_KEY`]: 'none', [`${key}_BASE_URL`]: simulator.baseUrls[provider] };
  return { simulator, home, folder, env };
}

describe.each(AGENTS)('lines of scripts for $name', (agent) => {
  test('each has its effect', async () => {
    expect(agent.lines.length).toBeGreaterThanOrEqual(agent.atLeast);
    const { simulator, home, folder, env } = await makeScriptWorld(agent);
    for (const row of agent.lines) {
      const { argv, stdin, after } = readScriptLine(row.line, (file) => readFileSync(path.join(folder, file), 'utf8'));
      const before = simulator.requests().length;
      // What a sandbox does is shown elsewhere; these lines end alike on every machine.
      const words = [...agent.words, '--allow-unsandboxed', ...argv];
      const ended = await attractorHere(words, { home, cwd: folder, env, stdin });
      expect(seen(row, { ...ended, stdout: after(ended.stdout) }, folder), row.line).toEqual(expected(row));
      const body = JSON.stringify(simulator.requests()[before]?.body ?? null);
      expect([row.line, row.sends?.test(body) ?? true]).toEqual([row.line, true]);
    }
    expect(simulator.failures()).toEqual([]);
    const keyless = await attractorHere([...agent.words, '-p', 'what?'], { home, cwd: folder, env: {} });
    expect(keyless.code).toBe({ claude: 6, codex: 2, gemini: 41 }[agent.name]);
    await simulator.close();
  });
});

test.each(AGENTS)('$provider searches the web with its own tool, where a rule lets it', async (agent) => {
  const { simulator, home, folder, env } = await makeScriptWorld(agent);
  const ask = (...flags: ReadonlyArray<string>) =>
    attractorHere(['--allow-unsandboxed', '-p', 'look it up', ...flags], {
      home,
      cwd: folder,
      env: { ...env, ATTRACTOR_WEB_SEARCH: 'provider' },
    });
  const bodies = (): ReadonlyArray<string> => simulator.requests().map(({ body }) => JSON.stringify(body));
  const isSearch = (body: string): boolean => /"type":"web_search|"googleSearch":/.test(body);
  expect((await ask()).stdout).toBe('Looked.\n');
  expect(bodies().filter(isSearch)).toEqual([]);
  expect(bodies()[1]).toMatch(/Denied/);
  expect((await ask('--allowedTools', 'WebSearch')).stdout).toBe('Looked.\n');
  expect(bodies().filter(isSearch)).toHaveLength(1);
  expect(bodies().at(-1)).toContain('https://a.test/x');
  expect(simulator.failures()).toEqual([]);
  await simulator.close();
});

test('variables that scripts set for a cloud lead to it, with its own address and proof', async () => {
  const { simulator, home, folder } = await makeScriptWorld(AGENTS[0]);
  const google = {
    GOOGLE_VERTEX_ACCESS_TOKEN: 'ya29.of-a-script',
    GOOGLE_CLOUD_PROJECT: 'p',
    CLOUD_ML_REGION: 'global',
  };
  const clouds: ReadonlyArray<
    readonly [file: string, at: RegExp, env: Record<string, string>, ...ReadonlyArray<string>]
  > = [
    [
      'ONE',
      /^\/model\/us\.anthropic\.claude-opus-4-6-v1\/invoke-with-response-stream$/,
      {
        CLAUDE_CODE_USE_BEDROCK: '1',
        ANTHROPIC_MODEL: 'us.anthropic.claude-opus-4-6-v1',
        ANTHROPIC_BEDROCK_BASE_URL: simulator.url,
        AWS_REGION: 'us-west-2',
        AWS_ACCESS_KEY_ID: 'AKIAXXXXXXXXXXXXXXXX',
        AWS_SECRET_ACCESS_KEY: 'of-a-script',
      },
    ],
    [
      'TWO',
      /^\/v1\/projects\/p\/locations\/global\/publishers\/anthropic\/models\/claude-/,
      { ...google, CLAUDE_CODE_USE_VERTEX: '1', ANTHROPIC_VERTEX_BASE_URL: `${simulator.url}/v1` },
    ],
    [
      'THREE',
      /^\/v1beta1\/projects\/p\/locations\/eu\/publishers\/google\/models\/gemini-/,
      {
        ...google,
        GOOGLE_GENAI_USE_VERTEXAI: 'true',
        GOOGLE_CLOUD_LOCATION: 'eu',
        GOOGLE_VERTEX_BASE_URL: `${simulator.url}/v1beta1`,
      },
    ],
    [
      'FOUR',
      /^\/openai\/v1\/responses$/,
      { AZURE_API_KEY: 'of-a-script', AZURE_OPENAI_ENDPOINT: simulator.url },
      '--model',
      'my-deployment',
    ],
  ];
  for (const [file, at, env, ...more] of clouds) {
    const before = simulator.requests().length;
    const line = ['-p', `fix the typo in ${file}`, '--permission-mode', 'acceptEdits', '--allow-unsandboxed', ...more];
    const { code, stdout, stderr } = await attractorHere(line, { home, cwd: folder, env });
    expect([code, stdout, stderr]).toEqual([0, 'Answer.\n', stderr]);
    expect(existsSync(path.join(folder, file))).toBe(true);
    const [asked] = simulator.requests().slice(before);
    expect(asked?.path).toMatch(at);
    expect(asked?.headers['authorization'] ?? asked?.headers['api-key']).toMatch(
      /^\*\*\*|Credential=AKIAX+\/\d+\/us-west-2\//,
    );
  }
  expect(simulator.failures()).toEqual([]);
  await simulator.close();
});

test('a link under the name of another program stands for it', async () => {
  const [, codex] = AGENTS;
  const { simulator, home, folder, env } = await makeScriptWorld(codex);
  const link = path.join(makeFolder(), 'codex');
  symlinkSync(COMMAND, link);
  const line = ['exec', '--allow-unsandboxed', '--json', 'what?'];
  const ended = await runAttractor(line, { home, cwd: folder, env, command: [process.execPath, link] });
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\{"type":"thread\.started"/) });
  await simulator.close();
});

type Seen = Readonly<Record<'code' | 'says' | 'tells' | 'makes' | 'leaves', unknown>>;

/** Only what the row is about: its patterns stand for what they match. */
function seen(row: ScriptLine, ended: { code: number | null; stdout: string; stderr: string }, folder: string): Seen {
  const found = (pattern: RegExp | undefined, text: string) =>
    pattern === undefined || pattern.test(text) ? String(pattern) : text;
  const { makes = '', leaves = '' } = row;
  return {
    code: ended.code === (row.code ?? 0) ? ended.code : [ended.code, ended.stderr],
    says: found(row.says, ended.stdout),
    tells: found(row.tells, ended.stderr),
    makes: makes === '' || existsSync(path.join(folder, makes)),
    leaves: leaves === '' || !existsSync(path.join(folder, leaves)),
  };
}

function expected({ code = 0, says, tells }: ScriptLine): Seen {
  return { code, says: String(says), tells: String(tells), makes: true, leaves: true };
}
