import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '@attractor/console';
import { must, type Case, type Row, type World } from '../command-world.ts';

const PERSON = { type: 'user' } as const;
const KEYS = ['id', 'taskId', 'mode', 'status', 'agentType'];
const NO_RUN: Case = { args: ['run_none', '--json'], exit: EXIT.notFound, says: 'no run run_none' };

/** A run that waits for a worker, and there is none. */
async function queuedRun({ task, workflow }: World): Promise<string> {
  const { id } = await task();
  return must(await workflow.startAgent({ taskId: id, mode: 'implement' }, PERSON)).id;
}

async function endedRun(world: World): Promise<string> {
  const id = await queuedRun(world);
  must(await world.workflow.stopAgent(id, PERSON));
  return id;
}

const RUNS: ReadonlyArray<Row> = [
  {
    command: 'runs list',
    cases: async (world) => [
      { args: ['--status', 'running', '--json'], exit: EXIT.done, keys: KEYS, says: await queuedRun(world) },
      { args: ['--all', '--limit', '1'], exit: EXIT.done, says: 'STATUS' },
      { args: ['--status', 'soon'], exit: EXIT.usage, says: 'Allowed choices' },
    ],
  },
  {
    command: 'runs get',
    cases: async (world) => [{ args: [await queuedRun(world), '--json'], exit: EXIT.done, keys: KEYS }, NO_RUN],
  },
  { command: 'runs start', cases: startCases },
  { command: 'runs stop', cases: stopCases },
  {
    command: 'runs watch',
    cases: async (world) => {
      const id = await endedRun(world);
      return [{ args: [id], exit: EXIT.failed }, { args: [id, '--json'], exit: EXIT.failed }, NO_RUN];
    },
  },
  {
    command: 'runs logs',
    cases: async (world) => {
      const id = await endedRun(world);
      return [
        { args: [id, '--json'], exit: EXIT.done, keys: ['seq', 'type', 'runId'] },
        { args: [id], exit: EXIT.done, says: 'agent.started' },
        { args: [id, '--level', 'loud'], exit: EXIT.refused, says: 'level' },
        NO_RUN,
      ];
    },
  },
  {
    command: 'runs transcript',
    cases: async (world) => [{ args: [await queuedRun(world), '--json'], exit: EXIT.done }, NO_RUN],
  },
  {
    command: 'runs cost',
    cases: async (world) => [
      { args: [await queuedRun(world), '--json'], exit: EXIT.done, keys: ['runId', 'spent'] },
      NO_RUN,
    ],
  },
  {
    command: 'runs diff',
    cases: async (world) => [
      { args: [await queuedRun(world), '--json'], exit: EXIT.refused, says: 'has no branch yet' },
      NO_RUN,
    ],
  },
  {
    command: 'runs export',
    cases: async (world) => {
      const [id, file] = [await queuedRun(world), join(world.folder, 'exported.jsonl.gz')];
      return [
        { args: [id, '--output', file, '--json'], exit: EXIT.done, keys: ['runId', 'file', 'bytes', 'isFinished'] },
        { args: [id, '--output', file], exit: EXIT.refused, says: '--force' },
        NO_RUN,
      ];
    },
  },
  {
    command: 'runs replay',
    cases: async ({ folder }) => [
      { args: [join(folder, 'exported.jsonl.gz'), '--json'], exit: EXIT.done },
      { args: [join(folder, 'exported.jsonl.gz'), '--again'], exit: EXIT.refused, says: "can't be run again" },
      { args: [join(folder, 'nosuch.jsonl.gz')], exit: EXIT.notFound, says: 'no file' },
    ],
  },
  {
    command: 'agents list',
    cases: async () => [
      { args: ['--json'], exit: EXIT.done, keys: ['type', 'available', 'reason', 'isDefault'] },
      { args: [], exit: EXIT.done, says: 'No API key for anthropic' },
    ],
  },
  { command: 'agents start', cases: startCases },
  { command: 'agents stop', cases: stopCases },
  {
    command: 'agents queue',
    cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['isPaused', 'jobs'] }],
  },
];

async function startCases({ task }: World): Promise<ReadonlyArray<Case>> {
  const { id } = await task();
  return [
    { args: [id, '--mode', 'plan', '--model', 'm', '--json'], exit: EXIT.done, keys: KEYS },
    { args: [id, '--json'], exit: EXIT.refused, says: 'An agent is already working on this task' },
    { args: ['tsk_none'], exit: EXIT.notFound, says: 'tsk_none' },
    { args: [id, '--mode', 'sleep'], exit: EXIT.usage, says: 'Allowed choices' },
    { args: [id, '--max-turns', 'many'], exit: EXIT.usage, says: 'whole number' },
  ];
}

async function stopCases(world: World): Promise<ReadonlyArray<Case>> {
  const id = await queuedRun(world);
  return [
    { args: [id, '--json'], exit: EXIT.done, keys: KEYS },
    { args: ['run_none', '--json'], exit: EXIT.notFound, says: 'run_none' },
  ];
}

const PROMPT_KEYS = ['id', 'type', 'status', 'contentHash'];

const PROMPTS: ReadonlyArray<Row> = [
  {
    command: 'prompts list',
    cases: async () => [
      { args: ['--all', '--json'], exit: EXIT.done },
      { args: [], exit: EXIT.done, says: 'Nothing waits for you.' },
      { args: ['--project', 'sample'], exit: EXIT.done, says: 'Nothing waits for you.' },
      { args: ['--project', 'nosuch'], exit: EXIT.notFound, says: 'nosuch' },
      { args: ['--status', 'open'], exit: EXIT.usage, says: 'Allowed choices' },
    ],
  },
  {
    command: 'prompts get',
    cases: async () => [{ args: ['prm_none', '--json'], exit: EXIT.notFound, says: 'prm_none', keys: PROMPT_KEYS }],
  },
  { command: 'inbox', cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['items', 'left'] }] },
  {
    command: 'inbox list',
    cases: async () => [
      { args: ['--json'], exit: EXIT.done, keys: ['items', 'left'] },
      { args: ['--project', 'nosuch'], exit: EXIT.notFound, says: 'nosuch' },
      { args: ['--limit', '0'], exit: EXIT.refused, says: 'limit' },
    ],
  },
  {
    command: 'inbox answer',
    cases: async () => [
      { args: ['prm_none', '--approve', '--json'], exit: EXIT.notFound, says: 'prm_none' },
      { args: ['--approve'], exit: EXIT.usage, says: 'name the questions' },
      { args: ['prm_none'], exit: EXIT.usage, says: '--approve' },
      {
        args: ['--json'],
        stdin: '{"answers":[{"promptId":"prm_none","answer":{"decision":"approve"}}]}',
        exit: EXIT.refused,
      },
      {
        args: [],
        stdin: '{"answers":[{"promptId":"prm_none","answer":{"decision":"maybe"}}]}',
        exit: EXIT.refused,
        says: 'decision',
      },
    ],
  },
  {
    command: 'prompts answer',
    cases: async () => [
      { args: ['prm_none', '--approve', '--json'], exit: EXIT.notFound, says: 'prm_none' },
      { args: ['prm_none'], exit: EXIT.usage, says: '--approve' },
      { args: ['prm_none', '--approve', '--reject'], exit: EXIT.usage, says: 'contradict' },
      { args: ['prm_none', '--answer', 'yes'], exit: EXIT.usage, says: 'ID=TEXT' },
      { args: ['prm_none'], stdin: '{"answer":{"decision":"maybe"}}', exit: EXIT.refused, says: 'decision' },
    ],
  },
];

const SMALL = {
  id: 'small',
  name: 'Small',
  statuses: [
    { id: 'todo', label: 'To do', color: 'gray', category: 'backlog', position: 0 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 1 },
  ],
  transitions: [{ id: 'finish', from: 'todo', to: 'done', label: 'Finish', trigger: { type: 'manual' } }],
  initialStatus: 'todo',
  terminalStatuses: ['done'],
};

const PIPELINE_KEYS = ['id', 'version', 'statuses', 'transitions'];
const NO_PIPELINE: Case = { args: ['nosuch', '--json'], exit: EXIT.notFound, says: 'nosuch' };

/** A mistake is reported with its place and what belongs there; nothing is saved. */
function wrongPipelines(folder: string): ReadonlyArray<Case> {
  const file = join(folder, 'wrong.json');
  writeFileSync(file, JSON.stringify({ ...SMALL, transitions: [{ ...SMALL.transitions[0], to: 'gone' }] }));
  return [
    { args: [file], exit: EXIT.refused, says: '$.transitions[0].to: expected one of the statuses todo, done' },
    { args: [], stdin: '{"id": "x"}', exit: EXIT.refused, says: '$.name: expected a non-empty text' },
    { args: [], stdin: '{"id": ', exit: EXIT.refused, says: 'stdin: not valid JSON' },
    { args: [join(folder, 'none.json')], exit: EXIT.notFound, says: 'none.json' },
  ];
}

const PIPELINES: ReadonlyArray<Row> = [
  {
    command: 'pipelines list',
    cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: PIPELINE_KEYS, says: '"coding"' }],
  },
  {
    command: 'pipelines get',
    cases: async () => [
      { args: ['simple', '--json'], exit: EXIT.done, keys: PIPELINE_KEYS },
      { args: ['simple', '--version-number', '99'], exit: EXIT.notFound, says: 'simple' },
      NO_PIPELINE,
    ],
  },
  {
    command: 'pipelines graph',
    cases: async ({ folder }) => [
      { args: ['simple', '--json'], exit: EXIT.done, keys: ['format', 'text'] },
      { args: ['simple', '--format', 'svg'], exit: EXIT.done, says: '<svg' },
      { args: ['simple', '-o', join(folder, 'graph.mmd')], exit: EXIT.done },
      { args: ['simple', '-o', join(folder, 'none', 'graph.mmd')], exit: EXIT.failed, says: "can't write" },
      { args: ['simple', '--format', 'png'], exit: EXIT.usage, says: 'Allowed choices' },
      NO_PIPELINE,
    ],
  },
  {
    command: 'pipelines export',
    cases: async () => [
      { args: ['simple', '--json'], exit: EXIT.done, keys: PIPELINE_KEYS },
      { args: ['simple'], exit: EXIT.done, says: '"initialStatus": "open"' },
      { args: ['simple', '--as', 'mine'], exit: EXIT.done, says: '"id": "mine"' },
      NO_PIPELINE,
    ],
  },
  {
    command: 'pipelines import',
    cases: async ({ folder }) => [
      { args: ['--json'], stdin: JSON.stringify(SMALL), exit: EXIT.done, keys: PIPELINE_KEYS },
      ...wrongPipelines(folder),
    ],
  },
  {
    command: 'pipelines validate',
    cases: async ({ folder }) => [
      { args: ['--json'], stdin: JSON.stringify(SMALL), exit: EXIT.done, keys: PIPELINE_KEYS },
      ...wrongPipelines(folder),
    ],
  },
  {
    command: 'pipelines set-default',
    cases: async () => [{ args: ['coding', '--json'], exit: EXIT.done, says: '"isDefault":true' }, NO_PIPELINE],
  },
  {
    command: 'pipelines delete',
    cases: async ({ workflow }) => {
      must(await workflow.savePipeline({ ...SMALL, id: 'gone' }, PERSON));
      return [
        { args: ['gone', '--json'], exit: EXIT.done, keys: ['done'] },
        { args: ['simple'], exit: EXIT.refused, says: 'comes with Attractor' },
        NO_PIPELINE,
      ];
    },
  },
];

const LOG: ReadonlyArray<Row> = [
  {
    command: 'events list',
    cases: async ({ task }) => {
      const { id } = await task({ title: 'In the log' });
      return [
        { args: ['--task', id, '--json'], exit: EXIT.done, keys: ['seq', 'at', 'type', 'actor'], says: 'task.created' },
        {
          args: ['--type', 'task.created', '--actor', 'user', '--search', 'In the log'],
          exit: EXIT.done,
          says: 'In the log',
        },
        { args: ['--all', '--oldest', '--limit', '1', '--json'], exit: EXIT.done, keys: ['seq'] },
        { args: ['--since', 'yesterday'], exit: EXIT.refused, says: 'since' },
        { args: ['--category', 'weather'], exit: EXIT.refused, says: 'category' },
        { args: ['--limit', '5000'], exit: EXIT.refused, says: 'limit' },
      ];
    },
  },
  {
    command: 'checks run',
    cases: async ({ task }) => [
      { args: [(await task()).id, '--json'], exit: EXIT.refused, says: 'no worktree' },
      { args: ['tsk_none'], exit: EXIT.notFound, says: 'tsk_none' },
    ],
  },
  {
    command: 'checks list',
    cases: async (world) => [
      { args: [await queuedRun(world), '--json'], exit: EXIT.done },
      { args: [(await world.task()).id], exit: EXIT.done, says: 'No check has run.' },
      { args: ['tsk_none'], exit: EXIT.notFound, says: 'no task tsk_none' },
      NO_RUN,
    ],
  },
];

export const RUN_ROWS: ReadonlyArray<Row> = [...RUNS, ...PROMPTS, ...PIPELINES, ...LOG];
