import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createApiClient, type ApiClient, type InboxItem, type StatedTask } from '@attractor/api';
import { compileCache } from '@attractor/base/testing';
import { parseScript, startSimulator } from '@attractor/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { attractorHere } from './attractor-here.ts';
import { COMMAND, type Ended, makeFolder, startAttractor, until } from './attractor.ts';

/** A step that a person takes, by its name among those that the task offers; empty: none in this round. */
type Step = string | { readonly take: string; readonly refused?: RegExp; readonly before?: (world: World) => unknown };

type Scenario = {
  readonly title: string;
  readonly project: 'alpha' | 'beta' | 'gamma';
  readonly pipeline: string;
  readonly steps: ReadonlyArray<Step>;
  readonly ends: 'Merged' | 'Closed';
};

const SCENARIOS: ReadonlyArray<Scenario> = [
  coding('plain', ['move:plan', 'approve', 'approve_and_merge']),
  coding('asks', ['move:plan', 'answer', 'approve', 'answer', 'approve', 'merge']),
  coding('chooses', ['move:clarify', 'answer:2', 'approve', 'approve_and_merge']),
  coding('rejected', ['move:plan', 'reject', 'reopen', 'approve', 'reject', 'reopen', 'approve_and_merge']),
  coding('changed', ['move:plan', 'changes', 'approve', 'changes', 'approve_and_merge']),
  coding('stopped', ['move:implement', 'stop', 'start:implement', 'approve_and_merge']),
  chore('alpha', 'conflict one', ['move:start', 'move:accept', 'merge']),
  chore('alpha', 'conflict two', [
    'move:start',
    'move:accept',
    { take: 'merge', refused: /shared\.txt/ },
    'resolve',
    'move:accept',
    'merge',
  ]),
  chore('alpha', 'nothing', ['move:start', 'answer:1', 'move:accept', 'merge']),
  {
    title: 'risky',
    project: 'alpha',
    pipeline: 'guarded',
    steps: ['move:start', 'move:go_on', 'move:accept', 'merge'],
    ends: 'Merged',
  },
  chore('beta', 'broken', ['move:start', 'move:start', 'move:accept', 'merge']),
  chore('beta', 'limited', ['move:start', 'lift_limit', 'move:accept', 'merge']),
  { ...chore('beta', 'reverted', ['move:start', 'move:accept', 'merge', 'revert']), ends: 'Closed' },
  { ...chore('beta', 'closed', ['move:start', 'close']), ends: 'Closed' },
  chore('beta', 'queue one', ['move:start', 'move:accept', 'merge']),
  chore('beta', 'queue two', ['move:start', 'approve_and_merge']),
  chore('gamma', 'no key', ['move:start', 'doctor', { take: 'move:start', before: giveKey }, 'move:accept', 'merge']),
  chore('gamma', 'budget', ['', '', { take: 'move:start', before: setBudget }, 'approve', 'move:accept', 'merge']),
  chore('gamma', 'allowed', ['', '', 'move:start', 'approve', 'move:accept', 'merge']),
  chore('gamma', 'dirty', [
    '',
    '',
    'move:start',
    { take: 'move:accept', before: dirtyBase },
    { take: 'merge', refused: /draft\.txt/ },
    'put_aside',
    'merge',
  ]),
];

function coding(title: string, steps: ReadonlyArray<Step>): Scenario {
  return { title, project: 'alpha', pipeline: 'coding', steps, ends: 'Merged' };
}

function chore(project: Scenario['project'], title: string, steps: ReadonlyArray<Step>): Scenario {
  return { title, project, pipeline: 'chore', steps, ends: 'Merged' };
}

/** A pipeline of a person's own, with an outcome of its own. */
const GUARDED = {
  id: 'guarded',
  version: 1,
  name: 'Guarded',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  outcomes: { risky: { description: 'It touches payments', schema: { type: 'object', required: ['why'] } } },
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'work', label: 'Work', color: 'blue', category: 'active', position: 1 },
    { id: 'risk', label: 'Risk', color: 'amber', category: 'waiting', position: 2 },
    { id: 'look', label: 'Look', color: 'purple', category: 'review', position: 3 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 4 },
    { id: 'cancelled', label: 'Cancelled', color: 'gray', category: 'done', position: 5 },
  ],
  transitions: [
    move('start', 'open', 'work', true),
    { id: 'is_risky', from: 'work', to: 'risk', label: 'Risky', trigger: { type: 'agent_outcome', outcome: 'risky' } },
    move('go_on', 'risk', 'work', true),
    { id: 'ready', from: 'work', to: 'look', label: 'Ready', trigger: { type: 'agent_outcome', outcome: 'pr_ready' } },
    move('accept', 'look', 'done', false),
    move('cancel', '*', 'cancelled', false),
  ],
};

function move(id: string, from: string, to: string, starts: boolean) {
  const hooks = starts ? [{ type: 'start_agent', params: { mode: 'implement' } }] : [];
  return { id, from, to, label: id, trigger: { type: 'manual' }, hooks };
}

type World = {
  readonly home: string;
  readonly repositories: Readonly<Record<Scenario['project'], string>>;
  readonly env: Readonly<Record<string, string>>;
  /** Where a program stands that only tells what it was started with. */
  readonly told: string;
  /** Kinds of commands that were started as programs. */
  readonly started: Set<string>;
  readonly client: () => ApiClient;
  readonly serve: (env: Readonly<Record<string, string>>) => Promise<void>;
  readonly idOf: (title: string) => string;
};

test('twenty tasks in three repositories: what waits is named, and each named step leads on', async () => {
  const world = await openWorld();
  const tasks = new Map(SCENARIOS.map((scenario) => [world.idOf(scenario.title), { ...scenario, at: 0 }]));
  for (let round = 0; [...tasks.values()].some(({ at, steps }) => at < steps.length); round++) {
    expect(round).toBeLessThan(12);
    const states = await untilRest(world, [...tasks]);
    await expectInbox(world, states);
    for (const { steps, at } of tasks.values()) await beforeOf(steps[at])?.(world);
    const lanes = Object.values(world.repositories).map(() => [] as StatedTask[]);
    for (const one of states)
      lanes[['alpha', 'beta', 'gamma'].indexOf(tasks.get(one.task.id)?.project ?? '')]?.push(one);
    const problems = await Promise.all(
      lanes.map(async (lane) => {
        const found: string[] = [];
        for (const { task, state } of lane) {
          const scenario = tasks.get(task.id);
          const step = scenario?.steps[scenario.at];
          if (scenario === undefined || step === undefined) continue;
          // One account, one limit: the task that met it lifts it for all.
          if (state.label === "Paused: the provider's limit" && step !== 'lift_limit') continue;
          if (step !== '') found.push(...(await takeStep(world, { title: task.title, state, step })));
          scenario.at++;
        }
        return found;
      }),
    );
    expect(problems.flat()).toEqual([]);
  }
  const last = await untilRest(world, [...tasks]);
  const ends = last.map(({ task, state }) => `${task.title}: ${state.label.split(':')[0] ?? ''}`);
  expect(ends).toEqual(last.map(({ task }) => `${task.title}: ${tasks.get(task.id)?.ends ?? ''}`));
  await expectInbox(world, last);
  expectHistories(world);
});

function beforeOf(step: Step | undefined) {
  return typeof step === 'object' ? step.before : undefined;
}

const HANGS_MS = 600_000;

/** Nothing works and nothing is about to, but for what is to be stopped. */
async function untilRest(
  { client }: World,
  tasks: ReadonlyArray<readonly [string, { readonly at: number; readonly steps: ReadonlyArray<Step> }]>,
): Promise<ReadonlyArray<StatedTask>> {
  const all = tasks.map(([id]) => id);
  let asked = all;
  const toStop = new Set(tasks.flatMap(([id, { at, steps }]) => (steps[at] === 'stop' ? [id] : [])));
  for (const end = performance.now() + HANGS_MS; ;) {
    const began = performance.now();
    const states = must(await client().tasks.states({ ids: asked.join(',') }));
    const moving = states.filter(({ task, state }) => {
      if (toStop.has(task.id)) return state.kind !== 'working';
      return !state.needsPerson && (state.kind === 'working' || state.kind === 'queued');
    });
    if (moving.length === 0 && asked === all) return states;
    asked = moving.length === 0 ? all : moving.map(({ task }) => task.id);
    if (began > end) throw new Error(moving.map(({ task, state }) => `${task.title}: ${state.label}`).join('; '));
    // A server closes a connection that was silent for five seconds, perhaps just when it is asked on it.
    const pause = Math.min(Math.max(250, 8 * (performance.now() - began)), 2_000);
    if (moving.length > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** The inbox has what needs a person, all of it and nothing else, each with a step. */
async function expectInbox(world: World, states: ReadonlyArray<StatedTask>): Promise<void> {
  const { stdout } = await shell(world, 'attractor inbox --json', 'inbox');
  const inbox: { readonly items: ReadonlyArray<InboxItem>; readonly left: number } = JSON.parse(stdout);
  const needed = states
    .filter(({ state }) => state.needsPerson)
    .map(({ task, state }) => `${task.title}: ${state.label}`);
  expect([...new Set(inbox.items.map(({ task, state }) => `${task.title}: ${state.label}`))].toSorted()).toEqual(
    needed.toSorted(),
  );
  for (const { state } of [...states, ...inbox.items]) expect(state.steps.length).toBeGreaterThan(0);
}

type Taken = { readonly title: string; readonly state: StatedTask['state']; readonly step: Step };

/** The command of the step is run as it is printed. What went wrong, if anything did. */
async function takeStep(world: World, { title, state, step }: Taken): Promise<ReadonlyArray<string>> {
  const { take, refused } = typeof step === 'string' ? { take: step } : step;
  const found = state.steps.find(({ id }) => id === take);
  const about = `${title} (${state.label}; ${state.detail ?? ''}; ${state.steps.map(({ id }) => id).join(', ')})`;
  if (found === undefined) return [`${about}: no step ${take}`];
  const ran = await shell(world, found.command, take.replace(/:.*/, ''));
  if (take === 'doctor') return ran.stdout.includes('ANTHROPIC_API_KEY') ? [] : [`${about}: ${ran.stdout}`];
  const isAsWanted = refused === undefined ? ran.code === 0 : ran.code === 4 && refused.test(ran.stderr);
  return isAsWanted ? [] : [`${about}: ${found.command}: ${ran.code ?? ''} ${ran.stderr}`];
}

function expectHistories({ repositories }: World): void {
  const merged = (project: Scenario['project']): ReadonlyArray<string> =>
    SCENARIOS.filter((one) => one.project === project && (one.ends === 'Merged' || one.title === 'reverted')).map(
      ({ title }) => title,
    );
  const subjects = (project: Scenario['project']): ReadonlyArray<string> =>
    git(repositories[project], 'log', '--format=%s', 'main')
      .replaceAll(/ \(#\d+\)/g, '')
      .split('\n');
  expect(subjects('alpha').toSorted()).toEqual(['first', ...merged('alpha')].toSorted());
  expect(subjects('beta').toSorted()).toEqual(['first', ...merged('beta'), 'Revert "reverted"'].toSorted());
  expect(subjects('gamma').toSorted()).toEqual(['first', ...merged('gamma')].toSorted());
  for (const repository of Object.values(repositories)) expect(git(repository, 'status', '--porcelain')).toBe('');
}

/** The server was started without a key; what waits for one goes on after it was started again with it. */
async function giveKey({ serve }: World): Promise<void> {
  await serve({ ANTHROPIC_API_KEY: 'scripted' });
}

async function setBudget({ client, idOf }: World): Promise<void> {
  must(await client().budgets.set({ scope: 'task', subjectId: idOf('budget'), limitUsd: 1, whenReached: 'ask' }));
}

function dirtyBase({ repositories }: World): void {
  writeFileSync(path.join(repositories.gamma, 'draft.txt'), 'mine\n');
}

/** What the model says to our own agent. */
const MODEL = {
  conversations: ['no key', 'budget', 'allowed', 'dirty'].map((title) => ({
    name: title,
    match: { firstUser: { contains: `Title: ${title}` } },
    turns: [
      {
        toolCalls: [
          title === 'dirty'
            ? { use: 'edit', path: 'draft.txt', old: 'draft', new: 'done' }
            : { use: 'write', path: `${title.replace(' ', '-')}.txt`, content: 'done\n' },
        ],
        ...(title === 'budget' ? { usage: { input: 600_000, output: 10 } } : {}),
      },
      ...(title === 'allowed' ? [{ toolCalls: [{ use: 'shell', command: 'sh draft.sh' }] }] : []),
      { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
      { text: 'It is done.' },
    ],
  })),
};

async function openWorld(): Promise<World> {
  const home = makeFolder();
  const folder = makeFolder();
  const repositories = {
    alpha: makeRepository(folder, 'alpha'),
    beta: makeRepository(folder, 'beta'),
    gamma: makeRepository(folder, 'gamma'),
  };
  const bin = path.join(folder, 'bin');
  makeProgram(bin, `exec "${process.execPath}" "${COMMAND}" "$@"`);
  const told = path.join(folder, 'told');
  makeProgram(told, String.raw`printf '%s\0' "$PWD" "$@"`);
  const agent = path.join(import.meta.dirname, 'twenty-tasks-agent.sh');
  mkdirSync(path.join(home, '.attractor'));
  const command = [agent, '{promptFile}'];
  const cli = { type: 'cli', command, readOnlyCommand: command };
  writeFileSync(path.join(home, '.attractor', 'config.json'), JSON.stringify({ agents: { mine: cli, other: cli } }));
  const parsed = parseScript(MODEL);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script, record: 'none' });
  onTestFinished(() => simulator.close());
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5', '--base-url', simulator.baseUrls.anthropic];
  let stop = async (): Promise<void> => undefined;
  let client: ApiClient | null = null;
  const serve = async (env: Readonly<Record<string, string>>): Promise<void> => {
    await stop();
    const args = ['serve', '--port', '0', '--concurrency', '4', ...model, '--allow-unsandboxed'];
    const server = startAttractor(args, { home, env });
    const [url] = await until(() => /http:\/\/[\w.:]+/.exec(server.output()) ?? undefined, 'the address of the server');
    const token = readFileSync(path.join(home, '.attractor', 'token'), 'utf8').trim();
    client = createApiClient({ baseUrl: url, token });
    stop = async () => {
      server.child.kill('SIGTERM');
      await server.ended;
    };
  };
  onTestFinished(() => stop());
  await serve({});
  const ids = new Map<string, string>();
  const ready = (): ApiClient => {
    if (client === null) throw new Error('no server');
    return client;
  };
  must(await ready().pipelines.save(GUARDED));
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, ...compileCache() };
  for (const [name, repository] of Object.entries(repositories)) {
    const project = must(await ready().projects.create({ path: repository, name }));
    if (name === 'alpha') must(await ready().projects.update(project.id, { config: { defaultAgentType: 'mine' } }));
    for (const { title, pipeline } of SCENARIOS.filter((scenario) => scenario.project === name))
      ids.set(title, must(await ready().tasks.create({ projectId: project.id, title, pipelineId: pipeline })).id);
  }
  const idOf = (title: string) => ids.get(title) ?? '';
  const world: World = { home, repositories, env, told, started: new Set(), client: ready, serve, idOf };
  const { stdout } = await shell(world, `cd ${repositories.beta} && attractor trust show --json`, 'trust show');
  const grant = `attractor trust grant --yes --hash ${String(JSON.parse(stdout).hash)}`;
  await shell(world, `cd ${repositories.beta} && ${grant}`, 'trust grant');
  return world;
}

function makeProgram(folder: string, line: string): void {
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'attractor'), `#!/bin/sh\n${line}\n`);
  chmodSync(path.join(folder, 'attractor'), 0o755);
}

function makeRepository(folder: string, name: string): string {
  const repository = path.join(folder, name);
  const files = {
    'shared.txt': 'shared\n',
    'draft.txt': 'draft\n',
    'draft.sh': 'echo hello\n',
    'check.sh': 'test ! -f bad.txt\n',
    '.attractor/config.json': JSON.stringify({
      checks: { test: { command: 'sh check.sh' } },
      defaultAgentType: 'other',
    }),
  };
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(repository, file)), { recursive: true });
    writeFileSync(path.join(repository, file), content);
  }
  git(repository, 'init', '-q', '-b', 'main');
  git(repository, 'add', '--all');
  git(repository, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', 'commit', '-q', '-m', 'first');
  return repository;
}

/**
 * One line of a shell, in a folder that belongs to no project. The first command of a kind is started as a program; of the others the shell
 * tells what it would start, and that is done in this process.
 */
async function shell(world: World, line: string, kind: string): Promise<Ended> {
  const { home, env, told, started } = world;
  const isFirst = !started.has(kind);
  started.add(kind);
  const ended = await inBash(line, isFirst ? world : { home, env: { ...env, PATH: `${told}:/usr/bin:/bin` } });
  if (isFirst || ended.code !== 0) return ended;
  const [cwd = home, ...args] = ended.stdout.split('\0').slice(0, -1);
  return attractorHere(args, { home, cwd, env });
}

async function inBash(line: string, { env, home }: Pick<World, 'env' | 'home'>): Promise<Ended> {
  const child = spawn('/bin/bash', ['-c', line], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const streams = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (streams.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (streams.stderr += text));
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, ...streams })));
}

function must<Value>(
  answer:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly error: { readonly message: string } },
): Value {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

function git(cwd: string, ...args: ReadonlyArray<string>): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trimEnd();
}
