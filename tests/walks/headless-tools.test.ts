import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { parseScript, startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { type Ended, makeFolder, startAttractor, until } from './attractor.ts';

const attractor = mostlyHere(['-p']);

type Turns = ReadonlyArray<unknown>;
type Fields = Readonly<Record<string, unknown>>;
type Family = 'anthropic' | 'openai' | 'gemini';

const MODELS: Readonly<Record<Family, string>> = {
  anthropic: 'claude-sonnet-4-5-20250929',
  openai: 'gpt-5',
  gemini: 'gemini-2.5-pro',
};

/** By the first words of a conversation: what the model does in it. */
async function makeWorld(talks: Readonly<Record<string, Turns>>, family: Family = 'anthropic') {
  const conversations = Object.entries(talks).map(([firstUser, turns]) => ({ match: { firstUser }, turns }));
  const parsed = parseScript({ conversations });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const [home, folder] = [makeFolder(), makeFolder()];
  const where = ['--provider', family, '--model', MODELS[family], '--base-url', simulator.baseUrls[family]];
  const env = { ANTHROPIC_API_KEY: 'none', OPENAI_API_KEY: 'none', GEMINI_API_KEY: 'none' };
  const args = (flags: ReadonlyArray<string>) => [...where, '--allow-unsandboxed', ...flags];
  return {
    home,
    folder,
    start: (flags: ReadonlyArray<string>) => startAttractor(args(flags), { home, cwd: folder, env }),
    ask: (flags: ReadonlyArray<string>): Promise<Ended> => attractor(args(flags), { home, cwd: folder, env }),
  };
}

const linesOf = ({ stdout }: Ended): ReadonlyArray<Fields> =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Fields);

const use = (name: string, args: Fields, toolResult?: string) => ({
  ...(toolResult === undefined ? {} : { expect: { toolResult } }),
  toolCalls: [{ name, args }],
});
const end = (text: string, toolResult?: string) => ({
  ...(toolResult === undefined ? {} : { expect: { toolResult } }),
  text,
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Writes its process id, says where it is, and stays. */
const STAYS = (file: string) => `echo $$ > ${file}; pwd; sleep 600`;
const THERE = (file: string) => `until [ -s ${file} ]; do sleep 0.05; done`;
const NOTEBOOK = {
  cells: [{ cell_type: 'code', id: 'one', source: 'x = 1', metadata: {}, outputs: [] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
};

describe('attractor -p has the tools that its models know', () => {
  test.each([
    ['anthropic', 'Task', 'TodoWrite', 'TodoRead'],
    ['openai', 'task', 'update_plan', 'todo_read'],
    ['gemini', 'task', 'write_todos', 'todo_read'],
  ] as const)(
    '%s: an explorer looks around, its steps are its own, and a list of steps is read again',
    async (family, task, write, read) => {
      const step = (words: string) =>
        family === 'openai'
          ? { plan: [{ step: words, status: 'in_progress' }] }
          : family === 'gemini'
            ? { todos: [{ description: words, status: 'in_progress' }] }
            : { todos: [{ content: words, status: 'in_progress' }] };
      const world = await makeWorld(
        {
          'Find the town': [
            use(write, step('look for the town')),
            use(task, { description: 'look', prompt: 'EXPLORE for towns', subagent_type: 'explore' }),
            use(read, {}, 'The town is Springfield, notes.txt:1.'),
            end('Springfield.', 'look for the town'),
          ],
          EXPLORE: [
            {
              expect: { tools: ['grep'], noTools: [write, 'write_file', 'apply_patch', 'shell', task] },
              toolCalls: [{ use: 'grep', pattern: 'town' }],
            },
            end('The town is Springfield, notes.txt:1.', 'Springfield'),
          ],
        },
        family,
      );
      writeFileSync(path.join(world.folder, 'notes.txt'), 'The town is Springfield\n');
      const ended = await world.ask(['-p', 'Find the town', '--output-format', 'stream-json']);
      const lines = linesOf(ended);
      expect(lines.at(-1)).toMatchObject({ result: 'Springfield.', is_error: false, permission_denials: [] });
      expect(lines[0]).toMatchObject({ agents: ['general-purpose', 'explore', 'plan', 'code', 'test'] });
      const call = ended.stdout.split('\n').find((line) => line.includes('"subagent_type"')) ?? '';
      const parents = lines.map((line) => line['parent_tool_use_id']).filter((id) => typeof id === 'string');
      expect(parents.length).toBeGreaterThan(0);
      for (const id of parents) expect(call).toContain(`"id":"${id}"`);
      expect(lines[0]?.['tools']).toEqual(expect.arrayContaining([task, write, read]));
    },
  );

  test('commands go on in the background, where the last one ended; they are looked at, ended, and gone with the run', async () => {
    const background = (file: string) => use('shell', { command: STAYS(file), run_in_background: true });
    const world = await makeWorld({
      GO: [
        use('shell', { command: 'cd sub' }),
        background('first.pid'),
        use('shell', { command: THERE('first.pid') }, 'as bash_1'),
        use('BashOutput', { bash_id: 'bash_1' }),
        use('KillShell', { shell_id: 'bash_1' }, '/sub'),
        { ...background('second.pid'), expect: { toolResult: 'bash_1 was ended' } },
        use('shell', { command: THERE('second.pid') }, 'as bash_2'),
        end('Done.'),
      ],
    });
    mkdirSync(path.join(world.folder, 'sub'));
    const ended = await world.ask(['-p', 'GO', '--allowed-tools', 'Bash']);
    expect(ended).toMatchObject({ code: 0, stdout: 'Done.\n', stderr: '' });
    const pids = ['first.pid', 'second.pid'].map((file) => Number(readFileSync(path.join(world.folder, 'sub', file))));
    await until(() => (pids.some(isAlive) ? undefined : true), 'the end of both commands');
    const [session = ''] = readdirSync(path.join(world.home, '.attractor/sessions'));
    const shells = path.join(world.home, '.attractor/sessions', session, 'shells');
    expect(existsSync(shells) ? readdirSync(shells) : []).toEqual([]);
  });

  test('a command in the background ends with a run that is interrupted', async () => {
    const world = await makeWorld({
      GO: [
        use('shell', { command: STAYS('one.pid'), run_in_background: true }),
        use('shell', { command: 'sleep 600' }),
      ],
    });
    const running = world.start(['-p', 'GO', '--allowed-tools', 'Bash']);
    const file = path.join(world.folder, 'one.pid');
    await until(() => (existsSync(file) && readFileSync(file, 'utf8') !== '' ? true : undefined), 'the command');
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130 });
    await until(() => (isAlive(Number(readFileSync(file))) ? undefined : true), 'the end of the command');
  });

  test('a cell of a notebook is changed, and what is read of it is what was written', async () => {
    const world = await makeWorld({
      GO: [
        use('NotebookEdit', { notebook_path: 'a.ipynb', cell_id: 'one', new_source: 'x = 2' }),
        use('NotebookRead', { notebook_path: 'a.ipynb' }),
        end('Done.', 'x = 2'),
      ],
    });
    writeFileSync(path.join(world.folder, 'a.ipynb'), JSON.stringify(NOTEBOOK));
    expect(await world.ask(['-p', 'GO', '--permission-mode', 'acceptEdits'])).toMatchObject({ stdout: 'Done.\n' });
    expect(readFileSync(path.join(world.folder, 'a.ipynb'), 'utf8')).toContain('x = 2');
  });

  test('a page that the prompt names is fetched unasked, but never from this machine; one that the model made up is not', async () => {
    const reached: string[] = [];
    const server = createServer(({ url }, response) => {
      reached.push(url ?? '');
      response.end('secret');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`;
    const made = 'https://made-up.test/?what=was-read';
    const world = await makeWorld({
      'Look at': [
        use('WebFetch', { url: page, prompt: 'what?' }),
        use('WebFetch', { url: 'http://127.0.0.1/' }, 'is not fetched from'),
        use('WebFetch', { url: made }, '127.0.0.1 leads to 127.0.0.1, which is not on the open internet'),
        use('WebFetch', { url: made }, 'Denied'),
        end('Done.', 'Denied'),
      ],
    });
    const ended = await world.ask(['-p', `Look at ${page} and http://127.0.0.1/.`, '--output-format', 'stream-json']);
    const denials = linesOf(ended).at(-1)?.['permission_denials'];
    expect(denials).toEqual([
      expect.objectContaining({ tool_input: { url: made } }),
      expect.objectContaining({ tool_input: { url: made } }),
    ]);
    expect(reached).toEqual([]);
  });

  test('in plan mode the plan is the result; elsewhere there is no way out of a mode that is not on', async () => {
    const world = await makeWorld({
      PLAN: [
        { expect: { tools: ['ExitPlanMode'] }, ...use('ExitPlanMode', { plan: '1. Read.\n2. Write.' }) },
        end('It is presented.', 'A person must approve the plan'),
      ],
      WORK: [{ expect: { noTools: ['ExitPlanMode', 'WebSearch', 'SlashCommand'] }, text: 'Done.' }],
    });
    const planned = await world.ask(['-p', 'PLAN', '--permission-mode', 'plan']);
    expect(planned).toMatchObject({ code: 0, stdout: '1. Read.\n2. Write.\n' });
    expect(await world.ask(['-p', 'WORK'])).toMatchObject({ code: 0, stdout: 'Done.\n' });
  });
});
