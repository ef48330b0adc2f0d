import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { FOREIGN_KINDS } from '@attractor/adapters';
import { makeRun } from '@attractor/adapters/testing';
import { createSandbox } from '@attractor/confine';
import { findForeignSessions, type ForeignAgent, importForeignSession } from '@attractor/journal';
import { parseScript, type Simulator, startSimulator } from '@attractor/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { attractorHere } from './attractor-here.ts';
import { type Ended, makeFolder, SANDBOX } from './attractor.ts';
import { installedProgram, PROGRAM_NAMES, type ProgramName } from './foreign-programs.ts';

type Addresses = Simulator['baseUrls'];

/** How a program is told where the model is, and what it calls the tool by which it reports. */
type Manner = {
  readonly kind: string;
  readonly variables: (at: Addresses) => Readonly<Record<string, string>>;
  readonly args?: (at: Addresses) => ReadonlyArray<string>;
  readonly report: string;
  /** Where the tool wants more than the model's script knows. */
  readonly edit?: (file: string) => object;
  /** What happens in its home before it is continued. */
  readonly later?: (home: string) => void;
  /** How our command calls it, and a call in its own words that reads the file. */
  readonly taken: { readonly from: ForeignAgent; readonly call: (file: string) => object };
};

const PATCH = `apply_patch <<'EOF'
*** Begin Patch
*** Update File: greeting.txt
@@
-hello
+good-bye
*** End Patch
EOF`;

const MANNERS: Readonly<Record<ProgramName, Manner>> = {
  'claude-code': {
    kind: 'claude-code',
    variables: ({ anthropic }) => ({ ANTHROPIC_API_KEY: 'sk-ant-none', ANTHROPIC_BASE_URL: anthropic }),
    report: 'mcp__attractor__report_outcome',
    taken: { from: 'claude', call: (file) => ({ name: 'Read', args: { file_path: file } }) },
  },
  codex: {
    kind: 'codex',
    variables: () => ({ OPENAI_API_KEY: 'sk-none' }),
    args: ({ openai }) => [
      '-c',
      'model="gpt-5"',
      '-c',
      'model_provider="here"',
      '-c',
      `model_providers.here={ name = "here", base_url = "${openai}", env_key = "OPENAI_API_KEY", wire_api = "responses" }`,
    ],
    report: 'mcp__attractor__report_outcome',
    edit: () => ({ use: 'shell', command: PATCH }),
    taken: {
      from: 'codex',
      call: (file) => ({ name: 'exec_command', args: { cmd: `cat ${file}`, yield_time_ms: 1000 } }),
    },
  },
  gemini: {
    kind: 'acp',
    variables: ({ gemini }) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: new URL(gemini).origin }),
    args: () => ['--acp', '--model', 'gemini-2.5-pro'],
    report: 'mcp_attractor_report_outcome',
    taken: { from: 'gemini', call: (file) => ({ name: 'run_shell_command', args: { command: `cat ${file}` } }) },
    later: aMinuteLater,
    edit: (file) => ({
      name: 'replace',
      args: { file_path: file, old_string: 'hello', new_string: 'good-bye', instruction: 'Say good-bye.' },
    }),
  },
  opencode: {
    kind: 'acp',
    variables: ({ anthropic }) => ({
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: 'anthropic/claude-sonnet-4-5',
        small_model: 'anthropic/claude-sonnet-4-5',
        enabled_providers: ['anthropic'],
        provider: { anthropic: { options: { baseURL: `${anthropic}/v1`, apiKey: 'none' } } },
      }),
    }),
    args: () => ['acp'],
    report: 'attractor_report_outcome',
    taken: { from: 'opencode', call: (file) => ({ name: 'read', args: { filePath: file } }) },
  },
};

/** Gemini CLI names the file of a conversation by the minute, and overwrites it if it is continued in the same one. */
function aMinuteLater(home: string): void {
  for (const file of readdirSync(path.join(home, '.gemini'), { recursive: true, encoding: 'utf8' })) {
    const [before, after] = file.split(/T\d\d-\d\d(?=-[0-9a-f]+\.jsonl$)/);
    const at = (name: string): string => path.join(home, '.gemini', name);
    if (after !== undefined) renameSync(at(file), at(`${before}T00-00${after}`));
  }
}

/** A read, an edit, a question to a person, a command that asks, a report. */
function work({ report, edit }: Manner, file: string): ReadonlyArray<object> {
  const ask = { name: report.replace('report_outcome', 'ask_human'), args: { question: 'Shall I run it?' } };
  const change = edit?.(file) ?? { use: 'edit', path: file, old: 'hello', new: 'good-bye' };
  return [
    { text: 'I look.', toolCalls: [{ use: 'read', path: file }] },
    { expect: { toolResult: 'hello' }, toolCalls: [change] },
    { toolCalls: [ask] },
    { expect: { toolResult: 'Yes.' }, toolCalls: [{ use: 'shell', command: 'sh ./run.sh' }] },
    { toolCalls: [{ name: report, args: { outcome: 'pr_ready' } }] },
    { text: 'Done.' },
  ];
}

/** Continued, a program may tell what was before in other words, but it tells it. The answer has no end: the program is stopped in it. */
const REMEMBERED = {
  expect: { body: 'I look.' },
  text: 'I remember. '.repeat(100_000),
  fault: { kind: 'slow', bytes: 512, everyMs: 200 },
  repeat: 'forever',
};

async function simulate(turns: ReadonlyArray<object>, more: ReadonlyArray<object> = []): Promise<Simulator> {
  const titles = { match: { system: 'title generator' }, turns: [{ text: 'A title', repeat: 'forever' }] };
  const again = { name: 'again', match: { lastUser: 'Once more' }, turns: [REMEMBERED] };
  const parsed = parseScript({ conversations: [titles, again, ...more, { name: 'asked', turns }] });
  if (!parsed.ok) throw new Error(parsed.error.message);
  // Programs send fields that the services take and our checks don't know.
  const simulator = await startSimulator({ script: parsed.script, strict: false });
  onTestFinished(() => simulator.close());
  return simulator;
}

/** The model is at this address for whoever is in the sandbox, and nothing else is anywhere. */
const HOST = 'model.test';

function confine(folder: string, home: string, { baseUrls }: Simulator) {
  if (!SANDBOX.available) return { at: baseUrls, held: {} };
  const port = Number(new URL(baseUrls.anthropic).port);
  const dial = () => connect(port, '127.0.0.1');
  const network = { allowedDomains: [HOST], resolve: async () => ['93.184.216.34'], dial };
  const sandbox = createSandbox({ bubblewrap: SANDBOX, roots: [folder], homes: [home], network });
  onTestFinished(() => sandbox.close());
  const moved = (url: string): string => url.replace(/127\.0\.0\.1:\d+/, HOST);
  const { anthropic, openai, gemini } = baseUrls;
  const at = { ...baseUrls, anthropic: moved(anthropic), openai: moved(openai), gemini: moved(gemini) };
  return { at, held: { sandbox } };
}

async function makeWorld(name: ProgramName, file: string) {
  const manner = MANNERS[name];
  const home = makeFolder();
  // All that the program has of this machine.
  const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: home };
  const prompt = 'Say good-bye in greeting.txt, then run sh ./run.sh';
  const { options: plain, heard } = await makeRun({ prompt, env });
  writeFileSync(path.join(plain.projectPath, 'run.sh'), 'env > ran.txt\n');
  const simulator = await simulate(work(manner, path.join(plain.projectPath, 'greeting.txt')));
  const { at, held } = confine(plain.projectPath, home, simulator);
  const given = manner.variables(at);
  const make = FOREIGN_KINDS[manner.kind];
  if (make === undefined) throw new Error(manner.kind);
  const argv = [...(file.endsWith('.js') ? [process.execPath, file] : [file]), ...(manner.args?.(at) ?? [])];
  const command = [argv[0] ?? file, ...argv.slice(1)] as const;
  const definition = { command, env: Object.keys(given), useMyLogin: false, agent: name };
  const hostEnv = { ...given, HOST_SECRET: 'correct-horse' };
  const agent = make({ type: name, definition, env: hostEnv, silenceMs: 3_600_000 });
  return { agent, options: { ...plain, ...held }, heard, simulator };
}

/** The program's own conversation, as it keeps it, goes on with our command; a model may still call tools in that program's words. */
async function goesOnHere({ from, call }: Manner['taken'], home: string, folder: string): Promise<void> {
  const [found] = findForeignSessions({ userHome: home, from, limit: 1 });
  const own = makeFolder();
  const imported = await attractorHere(['sessions', 'import', '--from', from, found?.file ?? ''], { home: own });
  expect(imported).toMatchObject({ code: 0 });
  writeFileSync(path.join(folder, 'later.txt'), 'a plum\n');
  const asked = { expect: { body: 'I look.' }, toolCalls: [call(path.join(folder, 'later.txt'))], repeat: 'forever' };
  const simulator = await simulate(
    [{ expect: { body: 'a plum' }, text: 'A plum.', repeat: 'forever' }],
    [{ name: 'here', match: { lastUser: 'What is in later.txt?' }, turns: [asked] }],
  );
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5', '--base-url', simulator.baseUrls.anthropic];
  const say = (...words: ReadonlyArray<string>): Promise<Ended> =>
    attractorHere(['-p', ...words, '-r', imported.stdout.trim(), '--allow-unsandboxed', ...model], {
      home: own,
      cwd: folder,
      env: { ANTHROPIC_API_KEY: 'none' },
    });
  // One request: the call in the program's words is made, and then the run ends.
  expect(await say('What is in later.txt?', '--max-turns', '1')).toMatchObject({ code: 1 });
  expect(await say('So?')).toMatchObject({ code: 0, stdout: 'A plum.\n' });
  expect(simulator.failures()).toEqual([]);
}

/** Processes that work for a run still: everything that it started carries its mark. */
function processesOf(runId: string): ReadonlyArray<string> {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(runId);
    } catch {
      return false;
    }
  });
}

describe.each(PROGRAM_NAMES)('%s from npm', (name) => {
  it('reads, edits, asks a person, asks before it runs a command, reports, goes on here, is continued, and is stopped in the middle', async (context) => {
    const found = await installedProgram(name);
    if ('missing' in found) return context.skip(found.missing);
    const { agent, options, heard, simulator } = await makeWorld(name, found.file);
    const result = await agent.run(options);
    expect([result.error, simulator.failures()]).toEqual([undefined, []]);
    expect(result).toMatchObject({ outcome: 'pr_ready', finalText: 'Done.' });
    expect(readFileSync(path.join(options.projectPath, 'greeting.txt'), 'utf8')).toBe('good-bye\n');
    expect(heard.asked.map(({ toolName, command }) => [toolName, command])).toEqual([
      ['ask_human', null],
      ['Bash', 'sh ./run.sh'],
    ]);
    expect(readFileSync(path.join(options.projectPath, 'ran.txt'), 'utf8')).not.toContain('correct-horse');
    await goesOnHere(MANNERS[name].taken, path.join(options.statePath, 'home'), options.projectPath);
    MANNERS[name].later?.(path.join(options.statePath, 'home'));
    const stop = new AbortController();
    const onDelta: typeof options.onDelta = (delta) => {
      if (delta.kind === 'text_delta' && delta.text.includes('remember')) stop.abort('user_cancelled');
    };
    const continued = { ...options, onDelta, abortSignal: stop.signal };
    const again = await agent.say?.({ ...continued, prompt: 'Once more: do you remember?', inputKey: 'again' });
    expect([again?.error?.code, simulator.failures()]).toEqual(['stopped', []]);
    // Its own conversation was continued, and nothing that it said is of a kind that nobody knows.
    const notices = heard.messages.flatMap((message) => (message.kind === 'notice' ? [message.text] : []));
    expect(notices.filter((text) => /told anew|does not know/.test(text))).toEqual([]);
    expect(processesOf(options.runId)).toEqual([]);
    expect(existsSync(path.join(options.env['HOME'] ?? '', '.claude'))).toBe(false);
  });
});

it('pi from npm: its conversation goes on here, with its tools by their old names', async (context) => {
  const found = await installedProgram('pi');
  if ('missing' in found) return context.skip(found.missing);
  const [home, folder] = [makeFolder(), makeFolder()];
  writeFileSync(path.join(folder, 'greeting.txt'), 'hello\n');
  const simulator = await simulate([
    { text: 'I look.', toolCalls: [{ use: 'read', path: 'greeting.txt' }] },
    { expect: { toolResult: 'hello' }, toolCalls: [{ use: 'shell', command: 'cat greeting.txt' }] },
    { text: 'Done.' },
  ]);
  mkdirSync(path.join(home, '.pi/agent'), { recursive: true });
  const providers = { anthropic: { baseUrl: simulator.baseUrls.anthropic } };
  writeFileSync(path.join(home, '.pi/agent/models.json'), JSON.stringify({ providers }));
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5'];
  const running = promisify(execFile)(process.execPath, [found.file, '-p', ...model, 'Say hello'], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: home, ANTHROPIC_API_KEY: 'none', PI_OFFLINE: '1' },
  });
  // It would wait for what is piped in.
  running.child.stdin?.end();
  const { stdout } = await running;
  expect([stdout.trim(), simulator.failures()]).toEqual(['Done.', []]);
  await goesOnHere({ from: 'pi', call: (file) => ({ name: 'read', args: { path: file } }) }, home, folder);
});

// In a soak (SOAK=1): the packages are 275 MB.
it.runIf(process.env['SOAK'] === '1')(
  'Cline from npm: its conversation goes on here, with its tools by their old names',
  async (context) => {
    const found = await installedProgram('cline');
    if ('missing' in found) return context.skip(found.missing);
    const [home, folder] = [makeFolder(), makeFolder()];
    const file = path.join(folder, 'greeting.txt');
    writeFileSync(file, 'hello\n');
    const simulator = await simulate([
      { text: 'I look.', toolCalls: [{ name: 'read_files', args: { files: [{ path: file }] } }] },
      {
        expect: { toolResult: 'hello' },
        toolCalls: [{ name: 'run_commands', args: { commands: ['cat greeting.txt'] } }],
      },
      { text: 'Done.' },
    ]);
    const driver = path.join(import.meta.dirname, 'test-support', 'cline-child.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [driver, found.file, simulator.baseUrls.anthropic], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', HOME: home },
    });
    expect([stdout.trim(), simulator.failures()]).toEqual(['Done.', []]);
    const [kept] = findForeignSessions({ userHome: home, from: 'cline', limit: 1 });
    const taken = importForeignSession({ home: makeFolder(), from: 'cline', file: kept?.file ?? '' });
    expect(taken).toMatchObject({ ok: true, value: { cwd: folder, turns: 1, left: [] } });
    const call = (later: string) => ({ name: 'read_files', args: { files: [{ path: later }] } });
    await goesOnHere({ from: 'cline', call }, home, folder);
  },
);
