import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createNativeAgent } from '@attractor/adapters';
import { createToolRegistry, openAgentSession, profileFor } from '@attractor/agent';
import { FILE_TOOLS, runFileTool, wireName } from '@attractor/executor';
import { createClient } from '@attractor/llm';
import { inWorktree, readSetup } from '@attractor/settings';
import { startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND, type Ended, makeFolder, startAttractor } from './attractor.ts';

const MODEL = 'claude-sonnet-4-5-20250929';
const PROMPT = 'What is in notes.txt?';
const TASK = '## Task\n\nRead notes.txt.';
const SPEC = `# Reader\n\nYou read.\n\n${TASK}\n`;

/** A person with settings, documents and a skill, and a folder to work in. */
function makePlace() {
  const [userHome, folder] = [makeFolder(), makeFolder()];
  const home = path.join(userHome, '.attractor');
  write(userHome, {
    '.attractor/config.json': JSON.stringify({ permissions: { allow: ['Bash(make)'] } }),
    '.claude/settings.json': JSON.stringify({ permissions: { deny: ['Bash(curl *)'] } }),
    '.claude/CLAUDE.md': 'I like short sentences.\n',
    '.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: How people are greeted here.\n---\nPolitely.\n',
    'reader.md': SPEC,
  });
  write(folder, { 'notes.txt': 'one\ntwo\n', 'AGENTS.md': 'Tests first.\n', '.git/HEAD': 'ref: refs/heads/main\n' });
  return { userHome, home, folder };
}

type Place = ReturnType<typeof makePlace>;

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

/** A way to a session: it says the prompt there, to the model at the address. */
type Door = (place: Place, baseUrl: string) => Promise<unknown>;

const DOORS = {
  openAgentSession: async ({ home, userHome, folder }, baseUrl) => {
    const setup = await readSetup({ home, userHome, folder, env: { HOME: userHome } });
    const means = { folder, setup, home, client: clientOf(baseUrl), provider: 'anthropic', model: MODEL };
    const opened = await openAgentSession({ ...means, sandbox: 'none' });
    if (!opened.ok) throw new Error(opened.error.message);
    expect(await opened.value.send(PROMPT)).toEqual({ ok: true, value: { text: 'Two lines.' } });
    await opened.value.close();
  },
  'openAgentSession with file tools': async ({ folder }, baseUrl) => {
    const client = clientOf(baseUrl);
    const means = { folder, client, provider: 'anthropic', model: MODEL, profile: READER };
    const opened = await openAgentSession({ ...means, sandbox: 'none', config: { maxSubagentDepth: 0 } });
    if (!opened.ok) throw new Error(opened.error.message);
    expect(await opened.value.send(TASK)).toEqual({ ok: true, value: { text: 'Two lines.' } });
    await opened.value.close();
  },
  exec: async (place, baseUrl) => {
    const args = ['exec', path.join(place.userHome, 'reader.md'), place.folder, ...flagsFor(baseUrl)];
    expect(await runCommand(place, args)).toMatchObject({ code: 0, stdout: 'Two lines.\n' });
  },
  headless: async (place, baseUrl) => {
    const { stdout, stderr } = await runCommand(place, ['-p', PROMPT, ...flagsFor(baseUrl)]);
    expect([stdout, stderr]).toEqual(['Two lines.\n', expect.stringMatching(/^reads /)]);
  },
  native: async ({ home, userHome, folder }, baseUrl) => {
    const read = await readSetup({ home, userHome, folder, env: { HOME: userHome } });
    const result = await createNativeAgent({ client: clientOf(baseUrl), defaultProvider: 'anthropic' }).run({
      runId: 'run_1',
      projectPath: folder,
      setup: inWorktree(read, folder),
      prompt: PROMPT,
      config: { model: MODEL },
      outcomes: [{ outcome: 'done', description: 'Done.', payloadSchema: null }],
      statePath: path.join(makeFolder(), 'state'),
      readOnly: false,
      env: { PATH: '/usr/bin:/bin', HOME: userHome },
      onMessage: () => undefined,
      onDelta: () => undefined,
      approve: async () => ({ decision: 'reject', message: 'Nobody is here.' }),
      abortSignal: new AbortController().signal,
    });
    expect(result).toMatchObject({ exitCode: 0, finalText: 'Two lines.' });
  },
} satisfies Record<string, Door>;

/** What the spec says, as a profile of a session. */
const READER: typeof profileFor = (...chosen) => ({
  ...profileFor(...chosen),
  systemText: 'You read.',
  toolRegistry: createToolRegistry(
    FILE_TOOLS.map(({ name, description, parameters, readOnly }) => ({
      definition: { name: wireName(name), description, parameters },
      executor: (input, environment) => runFileTool({ name, input }, environment),
      readOnly,
    })),
  ),
});

function clientOf(baseUrl: string) {
  const client = createClient({ configuration: { providers: { anthropic: { apiKey: 'none', baseUrl } } } });
  onTestFinished(client.close);
  return client;
}

function flagsFor(baseUrl: string): ReadonlyArray<string> {
  return ['--provider', 'anthropic', '--model', MODEL, '--base-url', baseUrl, '--allow-unsandboxed'];
}

/** Tells at the end of the process how often each file was read. */
const COUNT = `data:text/javascript,${encodeURIComponent(`
  const fs = process.getBuiltinModule('fs');
  const reads = {};
  // Reading bytes opens the file by the same module: that is the same read.
  let isInside = false;
  const counted = (real) => (file, ...rest) => {
    if (isInside) return real(file, ...rest);
    if (typeof file === 'string') reads[file] = (reads[file] ?? 0) + 1;
    isInside = true;
    try {
      return real(file, ...rest);
    } finally {
      isInside = false;
    }
  };
  for (const name of ['readFileSync', 'openSync']) fs[name] = counted(fs[name]);
  fs.promises.readFile = counted(fs.promises.readFile);
  process.getBuiltinModule('module').syncBuiltinESMExports();
  process.on('exit', () => console.error('reads ' + JSON.stringify(reads)));
`)}`;

function runCommand({ userHome, folder }: Place, args: ReadonlyArray<string>): Promise<Ended> {
  const command = [process.execPath, '--import', COUNT, COMMAND];
  return startAttractor(args, { home: userHome, cwd: folder, command, env: { ANTHROPIC_API_KEY: 'none' } }).ended;
}

async function startModel() {
  const turns = [{ toolCalls: [{ id: 'toolu_1', use: 'read' as const, path: 'notes.txt' }] }, { text: 'Two lines.' }];
  const simulator = await startSimulator({ script: { turns } });
  onTestFinished(() => simulator.close());
  return simulator;
}

/** What the model saw: every request, as it came over the wire. */
async function seenThrough(door: keyof typeof DOORS, place: Place): Promise<ReadonlyArray<Seen>> {
  const simulator = await startModel();
  await DOORS[door](place, simulator.baseUrls.anthropic);
  expect(simulator.failures()).toEqual([]);
  return simulator.requests().map(({ body }) => body as Seen);
}

type Seen = { readonly tools: ReadonlyArray<{ readonly name: string }> };

describe('the same words in the same folder', () => {
  test.each(['headless', 'native'] as const)(
    'are the same requests to the model through %s as through openAgentSession',
    async (door) => {
      const place = makePlace();
      const opened = await seenThrough('openAgentSession', place);
      const through = await seenThrough(door, place);
      expect(opened).toHaveLength(2);
      expect(JSON.stringify(opened[0])).toMatch(
        /I like short sentences.*Tests first|Tests first.*I like short sentences/s,
      );
      expect(JSON.stringify(opened[0])).toContain('How people are greeted here.');
      expect(through.map(withoutReport)).toEqual(opened.map(withoutReport));
    },
  );
});

describe('an agent written as markdown', () => {
  test('is a session with the prompt of its file and the file tools, and nothing of the person', async () => {
    const place = makePlace();
    const opened = await seenThrough('openAgentSession with file tools', place);
    const through = await seenThrough('exec', place);
    expect(opened).toHaveLength(2);
    expect(through.map(withoutRecall)).toEqual(opened.map(withoutRecall));
    expect(JSON.stringify(through)).not.toMatch(/I like short sentences|Tests first|greeted here/);
  });
});

/** Every session offers `recall`, but an agent's provider is not told of it. The last tool, whichever it is, carries the mark of the cache. */
function withoutRecall({ tools, ...rest }: Seen): unknown {
  const others = tools.filter(({ name }) => name !== 'recall');
  return { ...rest, tools: others.map((tool) => ({ ...tool, cache_control: undefined })) };
}

/** How a run of a pipeline ends is told by a tool that no other session has. */
function withoutReport({ tools, ...rest }: Seen): unknown {
  const told = JSON.stringify(rest).replaceAll(/- report_outcome: .*?\\n(?=- )/g, '');
  return [JSON.parse(told), tools.filter(({ name }) => name !== 'report_outcome')];
}

describe('what a person wrote down is read once', () => {
  test.each([
    ['attractor -p', (place: Place) => ['-p', PROMPT, '--cwd', place.folder]],
    ['attractor exec', (place: Place) => ['exec', path.join(place.userHome, 'reader.md'), place.folder]],
  ])('by %s', async (_name, args) => {
    const place = makePlace();
    const { baseUrls } = await startModel();
    const { stderr, code } = await runCommand(place, [...args(place), ...flagsFor(baseUrls.anthropic)]);
    expect(code).toBe(0);
    const reads: Readonly<Record<string, number>> = JSON.parse(/^reads (.*)$/m.exec(stderr)?.[1] ?? '{}');
    const files = ['.attractor/config.json', '.claude/settings.json'].map((name) => path.join(place.userHome, name));
    expect(files.map((file) => [file, reads[file]])).toEqual(files.map((file) => [file, 1]));
  });
});
