import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startSimulator } from '@attractor/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND, makeFolder } from '../../tests/walks/attractor.ts';
import { buildOtherForm, type OtherForm } from './other-form.ts';
import { openPlaces } from './places.mjs';
import { FAST_START } from './switch.mjs';
import { ROOT } from './test-support/bundled.ts';

/** The other form of the command; the one that the switch chooses is built already. */
let other: OtherForm;

beforeAll(async () => {
  other = await buildOtherForm(ROOT);
});

afterAll(() => other.remove());

type Ended = { readonly code: number | string | null | undefined; readonly stdout: string; readonly stderr: string };
type Walk = { readonly args: ReadonlyArray<string>; readonly input?: string; readonly flags?: ReadonlyArray<string> };

const CONVERSATIONS = [
  {
    match: { firstUser: 'Read the note.' },
    turns: [
      { text: 'I look.', toolCalls: [{ use: 'read' as const, path: 'note.txt' }] },
      { expect: { toolResult: 'one' }, text: 'It says one.' },
    ],
  },
  { match: { firstUser: 'Go on.' }, turns: [{ text: 'Hello.' }] },
];

/** In a new home, with a scripted model that has answered nobody yet. */
async function run(command: string, { args, input = '', flags = [] }: Walk): Promise<Ended> {
  const home = makeFolder();
  writeFileSync(join(home, 'note.txt'), 'one\n');
  const simulator = await startSimulator({ script: { conversations: CONVERSATIONS } });
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const whole = args[0] === '--help' ? args : [...args, ...model, '--base-url', simulator.baseUrls.anthropic];
  const env = { HOME: home, ATTRACTOR_HOME: home, PATH: '/usr/bin:/bin', ANTHROPIC_API_KEY: 'sk-test' };
  const ended = await new Promise<Ended>((resolve) => {
    const child = execFile(
      process.execPath,
      [...flags, command, ...whole],
      { env, cwd: home },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
  await simulator.close();
  return ended;
}

const HEADLESS = ['-p', 'Go on.', '--allow-unsandboxed'];

describe('the command on plain library code says what the one that starts fast says', () => {
  const input = '{"messages":[{"role":"user","content":"Go on."}]}';

  it.each<[string, Walk, string]>([
    ['of a conversation with a tool', { args: ['-p', 'Read the note.', '--allow-unsandboxed'] }, 'It says one.\n'],
    ['of its steps, as events', { args: ['llm', 'stream'], input }, '"Hello."'],
    ['of an option that it does not know', { args: [...HEADLESS, '--no-such-option'] }, ''],
    ['of itself', { args: ['--help'] }, 'Usage'],
  ])('%s', async (_what, walk, shown) => {
    const [chosen, plain] = await Promise.all([run(COMMAND, walk), run(other.command, walk)]);
    expect(chosen.stdout).toContain(shown);
    expect(plain).toEqual(chosen);
  });
});

describe('the command that starts fast', () => {
  const TELL = 'data:text/javascript,process.on("exit",()=>console.error(JSON.stringify(process.moduleLoadList)))';

  /** Each costs milliseconds to load, and an import in the wrong place is enough to load it. */
  const COSTLY = [
    'zlib',
    'internal/deps/undici/undici',
    'internal/fs/streams',
    'internal/fs/watchers',
    'internal/readline/interface',
    'internal/webstreams/transformstream',
  ];

  it('loads nothing of Node that is slow to load and not needed for a short answer', async () => {
    const { stdout, stderr } = await run(FAST_START ? COMMAND : other.command, {
      args: HEADLESS,
      flags: ['--import', TELL],
    });
    expect(stdout.trim()).toBe('Hello.');
    const loaded: ReadonlyArray<string> = JSON.parse(stderr.trim().split('\n').at(-1) ?? '[]');
    expect(loaded.length).toBeGreaterThan(50);
    expect(COSTLY.filter((name) => loaded.includes(`NativeModule ${name}`))).toEqual([]);
  });

  /** One other character, in a pattern that esbuild leaves as it is, makes V8 hold the whole text in twice the room. */
  it('has only plain characters in the piece to start with', () => {
    const pack = join(dirname(FAST_START ? COMMAND : other.command), 'headless.pack');
    const piece = openPlaces(pack).read('headless.js')?.toString() ?? '';
    expect(piece.length).toBeGreaterThan(100_000);
    expect([...piece.matchAll(/.{0,30}\P{ASCII}.{0,30}/gu)].map(String)).toEqual([]);
  });

  /** V8 refuses compiled code without a word: the command would only start more slowly. */
  it.runIf(existsSync(TERMINAL))('runs the code that was compiled ahead, in each of its programs', () => {
    for (const [args, least] of [
      [HEADLESS, 1],
      [['--help'], 1],
      [['--model', 'some'], 20],
    ] as const) {
      const home = makeFolder();
      const told = join(home, 'told.json');
      const line = [process.execPath, '--import', `"${TELL_CODE}"`, FAST_START ? COMMAND : other.command];
      const words = [...line, ...args.map((word) => `'${word}'`)].join(' ');
      const env = { HOME: home, PATH: '/usr/bin:/bin', TERM: 'xterm', TOLD: told };
      // Without a key nothing is asked: it ends by itself, on a terminal as well.
      execFileSync(TERMINAL, ['-qc', `exec ${words}`, '/dev/null'], {
        env,
        cwd: home,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const pieces = JSON.parse(readFileSync(told, 'utf8')) as ReadonlyArray<readonly [string, boolean | null]>;
      expect(pieces.length, args.join(' ')).toBeGreaterThanOrEqual(least);
      expect(pieces.filter(([, isRefused]) => isRefused !== false)).toEqual([]);
    }
  });
});

/** Gives a program a terminal; part of every Debian. */
const TERMINAL = '/usr/bin/script';

/** Writes down which pieces of a pack were opened, and whether V8 refused the code for them. */
const TELL_CODE = `data:text/javascript,${encodeURIComponent(`
  const vm = process.getBuiltinModule('node:vm');
  const { Script } = vm;
  const pieces = [];
  vm.Script = class extends Script {
    constructor(text, options) {
      super(text, options);
      if (options?.filename !== undefined) pieces.push([options.filename, this.cachedDataRejected ?? null]);
    }
  };
  process.on('exit', () => process.getBuiltinModule('node:fs').writeFileSync(process.env.TOLD, JSON.stringify(pieces)));
`).replaceAll("'", '%27')}`;
