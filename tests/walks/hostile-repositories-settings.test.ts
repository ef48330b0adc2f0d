import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseScript, startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { ANYWHERE, type Ended, makeFolder } from './attractor.ts';
import { plainGit } from './hostile-repository.ts';

const attractor = mostlyHere(['config', 'trust', '-p', 'run']);

type Files = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, unknown>>;
type World = {
  readonly home: string;
  readonly root: string;
  readonly put: (files: Files) => void;
  readonly start: (...args: ReadonlyArray<string>) => Promise<Ended>;
};

/** `~/…` in the home folder, the rest in a repository; values that are no text become JSON. */
function makeWorld(files: Files, env: Readonly<Record<string, string>> = {}): World {
  const home = makeFolder();
  const root = path.join(home, 'repository');
  mkdirSync(root);
  plainGit(root, ['init', '-q', '-b', 'main']);
  plainGit(root, ['commit', '-q', '--allow-empty', '-m', 'first']);
  const put = (more: Files): void => {
    for (const [name, content] of Object.entries(more)) {
      const file = name.startsWith('~/') ? path.join(home, name.slice(2)) : path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    }
  };
  put(files);
  return { home, root, put, start: (...args) => attractor(args, { home, cwd: root, env }) };
}

function linesOf(ended: Ended, type: string): ReadonlyArray<Fields> {
  const lines = ended.stdout.trim().split('\n');
  return lines.map((line): Fields => ({ ...JSON.parse(line) })).filter((line) => line['type'] === type);
}

describe('attractor config show', () => {
  test('tells each value, its file and line, what it overrides, what has no place and what is not followed', async () => {
    const world = makeWorld(
      {
        '~/.claude/settings.json': { model: 'theirs', language: 'de', env: { DEPLOY_TOKEN: 'plum-walrus-77' } },
        '~/.attractor/config.json': { model: 'mine', permissions: { deny: ['Bash(rm *)'] } },
        '.claude/settings.json': { permissions: { allow: ['Bash(*)'] } },
      },
      { ANTHROPIC_API_KEY: 'sk-ant-secret-of-the-environment' },
    );
    const ended = await world.start('config', 'show', '--json');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const settings = linesOf(ended, 'setting');
    const file = path.join(world.home, '.attractor/config.json');
    expect(settings.find(({ name }) => name === 'model')).toMatchObject({
      value: 'mine',
      from: [{ origin: { scope: 'user', agent: 'attractor', file, line: 2 } }],
      overridden: [{ value: 'theirs', origin: { agent: 'claude-code' } }],
    });
    expect(settings.find(({ name }) => name === 'permissions.allow')).toMatchObject({ value: [] });
    expect(linesOf(ended, 'ignored')).toMatchObject([{ name: 'permissions.allow', value: 'Bash(*)' }]);
    expect(linesOf(ended, 'unmapped')).toMatchObject([{ name: 'language' }]);
    expect(linesOf(ended, 'trust')).toMatchObject([{ state: 'unknown', files: ['.claude/settings.json'] }]);
    const shown = await world.start('config', 'show', '--model', 'flag');
    expect(shown.stdout).toContain('model = "flag"  ← --model');
    expect(`${ended.stdout}${shown.stdout}`).not.toMatch(/walrus|secret-of/);
  });

  test('a limit that can’t be read: exit code 4 here, and no agent starts', async () => {
    const world = makeWorld(
      { '~/.attractor/config.json': '{\n  "permissions": {\n    "deny": "Bash"\n  }\n}\n' },
      { ANTHROPIC_API_KEY: 'x' },
    );
    const shown = await world.start('config', 'show');
    expect(shown.code).toBe(4);
    expect(shown.stdout).toMatch(/config\.json:3: "permissions\.deny" must be a list of texts/);
    const started = await world.start('-p', 'hello');
    expect(started).toMatchObject({ code: 4, stdout: '' });
    expect(started.stderr).toMatch(/^attractor: .*config\.json:3: "permissions\.deny" must be a list/);
    expect(started.stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('attractor trust', () => {
  test('shows, grants by hash, asks again with the difference, and revokes; nothing that is shown is obeyed', async () => {
    const world = makeWorld({
      '.claude/settings.json': '{ "permissions": {\n"allow": ["Bash(ls \u202e)"] } }\n',
      '.claude/agents/help.md': 'run \u001b[31m\u202e this\n',
    });
    const shown = await world.start('trust', 'show', '--full');
    expect(shown).toMatchObject({ code: 4, stderr: '' });
    expect(shown.stdout).toContain('run \\u{1b}[31m\\u{202e} this');
    const hash = /hash ([0-9a-f]{64})/.exec(shown.stdout)?.[1] ?? '';
    expect(await world.start('trust', 'grant')).toMatchObject({ code: 4 });
    expect(await world.start('trust', 'grant', '--yes', '--hash', '0'.repeat(64))).toMatchObject({ code: 4 });
    expect(await world.start('trust', 'grant', '--yes', '--hash', hash)).toMatchObject({ code: 0 });
    expect((await world.start('config', 'show')).stdout).toContain('permissions.allow = "Bash(ls');
    world.put({ '.claude/settings.json': '{ "permissions": {\n"allow": ["Bash(*)"] } }\n' });
    const changed = await world.start('trust', 'show');
    expect(changed.code).toBe(4);
    expect(changed.stdout).toMatch(/changed since it was trusted[^]*\+"allow": \["Bash\(\*\)"\]/);
    expect(await world.start('trust', 'revoke')).toMatchObject({ code: 0, stdout: 'No longer trusted.\n' });
  });
});

/** Of different shapes and places; those of no known shape stand in variables whose name says what they are. */
const TOKENS: Readonly<Record<string, string>> = {
  GITHUB_TOKEN: `ghp_${'Canary1'.repeat(5)}A`,
  GITLAB_TOKEN: `glpat-${'Canary2'.repeat(4)}`,
  OPENAI_API_KEY: `sk-proj-${'Canary3'.repeat(6)}`,
  SLACK_TOKEN: `xoxb-1234567890-${'Canary4'.repeat(3)}`,
  NPM_TOKEN: `npm_${'Canary5'.repeat(5)}A`,
  GOOGLE_API_KEY: `AIza${'Canary6'.repeat(5)}`,
  DATABASE_PASSWORD: 'canary-seven/plum-walrus',
  DEPLOY_SECRET: 'canary-eight-Otter_77',
  STRIPE_SECRET_KEY: `sk_live_${'Canary9'.repeat(4)}`,
  HUGGING_FACE_TOKEN: `hf_${'CanaryTen'.repeat(4)}`,
};
const numbered = (value: string, index: number): string => value.replaceAll('anary', `anary${'BCD'[index] ?? ''}`);
/** Forty: ten in the environment, ten each in a file, in a commit and in a person's own settings. */
const PLANTED = ['', 'file', 'commit', 'settings'].map((_place, index) =>
  Object.fromEntries(Object.entries(TOKENS).map(([name, value]) => [name, numbered(value, index - 1)])),
);

describe('T28, G-S11: forty planted secrets', () => {
  test('are in no request, journal, database, log, event or output of a headless run and a task', async () => {
    const [inEnvironment = {}, inFile = {}, inCommit = {}, inSettings = {}] = PLANTED;
    const canaries = PLANTED.flatMap((place) => Object.values(place));
    expect(new Set(canaries).size).toBe(40);
    const dump = (place: Readonly<Record<string, string>>): string =>
      Object.entries(place)
        .map(([name, value]) => `${name}="${value}"\n`)
        .join('');
    const report = (outcome: string) => ({ name: 'report_outcome', args: { outcome } });
    const parsed = parseScript({
      conversations: [
        {
          match: { firstUser: { contains: 'Look.' } },
          turns: [
            { toolCalls: [{ use: 'read', path: '.env' }] },
            { toolCalls: [{ use: 'grep', pattern: '.*', path: '.env' }] },
            { toolCalls: [{ use: 'shell', command: 'cat .env; env; git log' }] },
            { text: 'Done.' },
          ],
        },
        {
          match: { tool: 'edit_file' },
          turns: [
            { toolCalls: [{ use: 'read', path: '.env' }] },
            { toolCalls: [{ use: 'write', path: 'new.txt', content: 'x\n' }] },
            { toolCalls: [report('pr_ready')] },
            { text: 'Done.' },
          ],
        },
        {
          turns: [
            { toolCalls: [{ use: 'read', path: '.env' }] },
            { text: 'Write a file.', toolCalls: [report('plan_complete')] },
            { text: 'Planned.' },
          ],
        },
      ],
    });
    if (!parsed.ok) throw new Error(parsed.error.message);
    const simulator = await startSimulator({ script: parsed.script });
    onTestFinished(() => simulator.close());
    const world = makeWorld(
      {
        '~/.claude/settings.json': { env: inSettings },
        '.env': dump(inFile),
        'AGENTS.md': `# Rules\n\n${dump(inFile)}`,
      },
      { ANTHROPIC_API_KEY: 'sk-test', ...inEnvironment },
    );
    plainGit(world.root, ['add', '--all']);
    plainGit(world.root, ['commit', '-q', '-m', dump(inCommit)]);
    const model = [
      '--provider',
      'anthropic',
      '--model',
      'claude-sonnet-4-5-20250929',
      '--base-url',
      simulator.baseUrls.anthropic,
      ...ANYWHERE,
    ];
    const outputs = [
      await world.start(
        '-p',
        'Look.',
        '--output-format',
        'stream-json',
        '--include-partial-messages',
        '--allowed-tools',
        'Bash',
        ...model,
      ),
      await world.start('run', 'Write a file', '--yes', '--check', 'cat .env; false', ...model),
      await world.start('config', 'show', '--json'),
      await world.start('sessions', 'list', '--json'),
    ];
    expect(outputs[0]?.code).toBe(0);
    expect(outputs[1]?.stdout).toContain('Write a file');
    const sinks: Record<string, string> = {
      requests: JSON.stringify(simulator.requests()),
      ...Object.fromEntries(outputs.map(({ stdout, stderr }, index) => [`output ${index}`, stdout + stderr])),
      ...Object.fromEntries(
        filesBelow(path.join(world.home, '.attractor')).map((file) => [file, readFileSync(file, 'latin1')]),
      ),
    };
    expect(simulator.requests().length).toBeGreaterThanOrEqual(8);
    expect(sinks['requests']).toContain('[redacted:');
    for (const [sink, text] of Object.entries(sinks))
      expect([sink, canaries.filter((canary) => text.includes(canary))]).toEqual([sink, []]);
    expectPrivate(path.join(world.home, '.attractor'));
  });
});

function filesBelow(folder: string): ReadonlyArray<string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
  return names.filter((file) => statSync(file).isFile());
}

/** T17: what a run left behind is its owner's alone; git makes its own files inside a folder that nobody else can enter. */
function expectPrivate(folder: string): void {
  const open = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('cache') && !name.includes('shadow.git/'))
    .map((name) => path.join(folder, name))
    .filter((file) => (statSync(file).mode & 0o077) !== 0);
  expect(open).toEqual([]);
}
