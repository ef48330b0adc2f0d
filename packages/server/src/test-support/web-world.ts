import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptedAgent, type Script, type ScriptStep } from '@attractor/adapters';
import { type Answer, type ApiClient, createApiClient, type Task } from '@attractor/api';
import { openSessions } from '@attractor/journal';
import { eventsOf } from '@attractor/journal/testing';
import { openPlatform, unconfined } from '@attractor/platform';
import { configExplainer } from '../run-config.ts';
import { agentSessions } from '../sessions.ts';
import { serve, type Served, TOKEN } from './serve.ts';

/** A real platform with a scripted agent, on which nobody has done anything yet. */
export type EmptyWorld = {
  readonly folder: string;
  readonly server: () => Served;
  readonly idle: () => Promise<void>;
  /** The same platform behind a new server on the same port. */
  readonly restart: (whileAway?: (inside: ApiClient) => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A task in every state that a person meets. */
export type WebWorld = EmptyWorld & { readonly tasks: Readonly<Record<keyof typeof TITLES, Task>> };

/** Words of a title choose what the agent does. */
export const TITLES = {
  question: 'Ask which date format to use',
  options: 'Choose a way to cache the index',
  plan: 'Plan the retries of the importer',
  tool: 'Measure the parser on large files',
  review: 'Handle accents in slugs',
  merged: 'Bump the license year',
  failed: 'Publish types <img src=x onerror=alert(1)>',
  split: 'Split the settings page',
  working: 'Rewrite the tokenizer',
  open: 'Document the public API',
} as const;

const usage = (costUsd: number): ScriptStep => ({ do: 'usage', inputTokens: 5200, outputTokens: 640, costUsd });
const on = (title: string, outcome: string, steps: ReadonlyArray<ScriptStep>): Script => ({
  when: { promptIncludes: title, outcome },
  steps,
});

const PLAN = `## Goal

Failed imports are tried again, at most three times.

1. **Read** \`src/slug.js\` and its test.
2. Wait longer before each try, and say so in the log.

| file | change |
|---|---|
| \`src/slug.js\` | retries |
`;

const SLUG = `export function slugify(text) {
  return text.normalize('NFKD').replace(/\\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
`;

const SUBTASKS = [
  { name: 'form', title: 'Move the form', description: 'Only the form.', acceptanceCriteria: ['The form saves'] },
  { name: 'page', title: 'Move the page', description: 'The rest.', dependsOn: ['form'] },
];

/** Why a plan is rejected. */
export const NOT_LIKE_THIS = 'Leave out the log';

const SCRIPTS: ReadonlyArray<Script> = [
  on(NOT_LIKE_THIS, 'plan_complete', [
    { do: 'output', text: 'One step less, as you wanted.' },
    { do: 'outcome', outcome: 'plan_complete', payload: { plan: 'Wait longer before each try.' } },
  ]),
  on(TITLES.question, 'plan_complete', [
    { do: 'output', text: 'I looked at the importer: it reads **two** formats.' },
    {
      do: 'outcome',
      outcome: 'needs_info',
      payload: {
        questions: [
          {
            id: 'format',
            question: 'Which date format?',
            context: 'The files have both.',
            options: ['ISO', 'US'],
            inputType: 'choice',
          },
          { id: 'zone', question: 'Which time zone?', suggested: 'UTC' },
          { id: 'keep', question: 'Keep the old files?', inputType: 'boolean' },
        ],
      },
    },
  ]),
  on(TITLES.options, 'plan_complete', [
    {
      do: 'outcome',
      outcome: 'options_proposed',
      payload: {
        summary: 'The index can be kept in two ways.',
        options: [
          {
            id: 'memory',
            label: 'In memory',
            description: 'Fast, and gone after a restart.',
            tradeoffs: 'Needs 200 MB.',
          },
          { id: 'disk', label: 'On disk', description: 'Stays after a restart.', recommended: true },
        ],
      },
    },
  ]),
  on(TITLES.split, 'plan_complete', [
    { do: 'outcome', outcome: 'propose_split', payload: { reason: 'It is two pages in one.', subtasks: SUBTASKS } },
  ]),
  on(TITLES.failed, 'plan_complete', [
    { do: 'output', text: 'Hostile: <script>alert(1)</script> ![x](https://evil.test/a.png)' },
    { do: 'error', message: 'The provider answered 401: check ANTHROPIC_API_KEY. <b>bold</b>' },
  ]),
  on(TITLES.tool, 'pr_ready', [
    { do: 'output', text: 'I need a benchmark, so I run it three times.' },
    { do: 'askHuman', toolName: 'shell', input: { command: 'node bench/slug.js --titles 100000\nrm -rf /tmp/bench' } },
    { do: 'createFile', path: 'bench.txt', content: 'done\n' },
    { do: 'outcome', outcome: 'pr_ready' },
  ]),
  on(TITLES.working, 'pr_ready', [
    { do: 'thinking', text: 'The tokenizer has three states; one is never left.' },
    { do: 'output', text: 'I read the tokenizer and its tests first.' },
    usage(0.021),
    { do: 'hang' },
  ]),
  on(TITLES.review, 'pr_ready', [
    { do: 'output', text: 'Normalising first keeps the base letters of accented words.' },
    { do: 'createFile', path: 'src/slug.js', content: SLUG },
    { do: 'createFile', path: 'docs/slugs.md', content: '# Slugs\n\nAccents are dropped.\n' },
    { do: 'createFile', path: '<img src=x onerror=alert(1)>.txt', content: '<script>alert(1)</script>\n' },
    usage(0.067),
    { do: 'outcome', outcome: 'pr_ready' },
  ]),
  {
    when: { outcome: 'pr_ready' },
    steps: [
      { do: 'createFile', path: 'LICENSE', content: '2026\n' },
      usage(0.01),
      { do: 'outcome', outcome: 'pr_ready' },
    ],
  },
  {
    when: { outcome: 'approved' },
    steps: [{ do: 'output', text: 'The change is good.' }, usage(0.01), { do: 'outcome', outcome: 'approved' }],
  },
  {
    when: { outcome: 'plan_complete' },
    steps: [{ do: 'output', text: PLAN }, usage(0.02), { do: 'outcome', outcome: 'plan_complete' }],
  },
];

/** Another agent, which does less than it was asked for. */
const SECOND: ReadonlyArray<Script> = [
  {
    steps: [
      { do: 'createFile', path: 'NOTES.md', content: 'A year\nand a note\n' },
      usage(0.03),
      { do: 'outcome', outcome: 'pr_ready' },
    ],
  },
];

/** One whose provider does not let it in. */
function keyless(): ReturnType<typeof createScriptedAgent> {
  const agent = createScriptedAgent(SECOND, 'keyless');
  const error = { code: 'authentication', message: 'The provider answered 401.', retryable: false };
  return { ...agent, run: async (options) => ({ ...(await agent.run(options)), error }) };
}

/** What a world has besides: scripts of further tasks, and files of the repository. */
type More = { readonly scripts?: ReadonlyArray<Script>; readonly files?: Readonly<Record<string, string>> };

export async function openWebWorld(webRoot: string, { scripts = [], files = {} }: More = {}): Promise<WebWorld> {
  const world = await openEmptyWorld(webRoot, [...scripts, ...SCRIPTS]);
  await keepConversation(world, 'Make the slugs safe');
  return { ...world, tasks: await fill(world.server(), repositoryIn(world.folder, files), world.idle) };
}

export async function openEmptyWorld(webRoot: string, scripts: ReadonlyArray<Script> = SCRIPTS): Promise<EmptyWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-web-world-')));
  const place = {
    home: join(folder, 'home'),
    agents: [createScriptedAgent(scripts), { ...createScriptedAgent(SECOND), type: 'second' }, keyless()],
    env: { PATH: process.env['PATH'], HOME: folder },
  };
  const opened = await openPlatform({ ...place, confine: unconfined });
  if (!opened.ok) throw new Error(opened.error.message);
  const { workflow, worker } = opened.value;
  const agents = async () => [
    {
      type: 'scripted',
      displayName: 'Scripted agent',
      available: true,
      reason: null,
      isDefault: true,
      defaultIn: [],
      defaults: {},
    },
    {
      type: 'codex',
      displayName: 'Codex',
      available: false,
      reason: 'codex is not installed.',
      isDefault: false,
      defaultIn: [],
      defaults: {},
    },
  ];
  const explainConfig = configExplainer(place);
  const options = { workflow, webRoot, agents, explainConfig, sessions: agentSessions(join(folder, 'home')) };
  let server = await serve(options);
  return {
    folder,
    server: () => server,
    idle: worker.idle,
    restart: async (whileAway) => {
      const { port, url, app } = server;
      await server.close(0);
      // What others do, in this process: nothing listens.
      await whileAway?.(createApiClient({ baseUrl: url, token: TOKEN, fetch: async (request) => app.fetch(request) }));
      server = await serve(options, port);
    },
    close: async () => {
      await server.close(200);
      await opened.value.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What somebody said to the agent in a terminal. */
export async function keepConversation({ folder }: EmptyWorld, text: string): Promise<void> {
  const held = openSessions({ home: join(folder, 'home') }).create({ cwd: '/src/slugs' });
  if (!held.ok) throw new Error(held.error.message);
  const { id, journal } = held.value;
  for (const event of eventsOf(id, [{ text, rounds: [[300]] }])) journal.append(event);
  journal.close();
}

export function repositoryIn(folder: string, files: Readonly<Record<string, string>> = {}): string {
  const path = join(folder, 'slugs');
  mkdirSync(join(path, 'src'), { recursive: true });
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', ...args], { cwd: path });
  git('init', '--quiet', '-b', 'main');
  writeFileSync(join(path, 'src', 'slug.js'), SLUG.replace(".normalize('NFKD').replace(/\\p{M}/gu, '')", ''));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
  return path;
}

/** `hang` never ends: the task that works is started last. */
async function fill({ client }: Served, path: string, idle: () => Promise<void>): Promise<WebWorld['tasks']> {
  const project = must(await client.projects.create({ path, name: 'slugs' }));
  const made: Array<readonly [string, Task]> = [];
  for (const [name, title] of Object.entries(TITLES)) {
    const criteria = name === 'review' ? { acceptanceCriteria: ['Accents are dropped', 'Digits stay'] } : {};
    const pipelineId = name === 'options' ? 'feature' : 'coding';
    const labels = name === 'review' ? { tags: ['slugs'] } : {};
    made.push([
      name,
      must(await client.tasks.create({ projectId: project.id, title, pipelineId, ...criteria, ...labels })),
    ]);
  }
  const tasks = Object.fromEntries(made) as WebWorld['tasks'];
  for (const name of ['question', 'options', 'plan', 'split', 'failed'] as const)
    must(await client.tasks.startRun(tasks[name].id, { mode: 'plan', along: 'pipeline' }));
  for (const name of ['review', 'merged'] as const)
    must(await client.tasks.startRun(tasks[name].id, { mode: 'implement', along: 'pipeline' }));
  await idle();
  must(await client.branches.approve(tasks.merged.id, { merge: true }));
  for (const name of ['tool', 'working'] as const)
    must(await client.tasks.startRun(tasks[name].id, { mode: 'implement', along: 'pipeline' }));
  return tasks;
}

export function must<Value>(answer: Answer<Value>): Value {
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer.value;
}
