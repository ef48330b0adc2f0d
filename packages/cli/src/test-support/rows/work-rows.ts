import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EXIT } from '@attractor/console';
import { must, type Case, type Row } from '../command-world.ts';

const PERSON = { type: 'user' } as const;
const NO_TASK: Case = { args: ['tsk_none', '--json'], exit: EXIT.notFound, says: 'tsk_none' };
const QUEUE_KEYS = ['isPaused', 'running', 'queued', 'jobs'];

const QUEUE: ReadonlyArray<Row> = [
  { command: 'queue', cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: QUEUE_KEYS }] },
  { command: 'costs', cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['total', 'rows'] }] },
  { command: 'stats', cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['runs', 'waiting'] }] },
  { command: 'budgets', cases: async () => [{ args: ['--json'], exit: EXIT.done }] },
  { command: 'limits', cases: async () => [{ args: ['--json'], exit: EXIT.done }] },
  { command: 'agents', cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['type', 'available'] }] },
  {
    command: 'queue state',
    cases: async () => [
      { args: ['--json'], exit: EXIT.done, keys: QUEUE_KEYS },
      { args: ['--all', '--limit', '5000'], exit: EXIT.refused, says: 'limit' },
    ],
  },
  {
    command: 'queue pause',
    cases: async () => [
      { args: ['--json'], exit: EXIT.done, keys: QUEUE_KEYS },
      { args: ['--project', 'nosuch'], exit: EXIT.notFound, says: 'nosuch' },
    ],
  },
  {
    command: 'queue resume',
    cases: async () => [
      { args: ['--json'], exit: EXIT.done, keys: QUEUE_KEYS },
      { args: ['--all', '--json'], exit: EXIT.done, says: '"isPaused":false' },
    ],
  },
  {
    command: 'queue drain',
    cases: async () => [
      { args: ['--patience', '5', '--json'], exit: EXIT.done, keys: QUEUE_KEYS },
      { args: ['--patience', 'long'], exit: EXIT.usage, says: 'whole number' },
    ],
  },
  {
    command: 'queue limit',
    cases: async () => [
      { args: ['agent', 'native', '4', '--json'], exit: EXIT.done, says: '"max":4' },
      { args: ['agent', 'native', 'none', '--json'], exit: EXIT.done, keys: QUEUE_KEYS },
      { args: ['agent', 'native', 'some'], exit: EXIT.usage, says: 'whole number' },
      { args: ['planet', 'x', '1'], exit: EXIT.usage, says: 'agent or account' },
    ],
  },
];

const SCHEDULE_KEYS = ['id', 'cron', 'timeZone', 'nextAt', 'action'];

const SCHEDULES: ReadonlyArray<Row> = [
  {
    command: 'schedules create',
    cases: async ({ task }) => {
      const { id } = await task();
      const nightly = ['--name', 'nightly', '--cron', '0 3 * * *'];
      return [
        {
          args: [...nightly, '--title', 'Update', '--start', 'implement', '--json'],
          exit: EXIT.done,
          keys: SCHEDULE_KEYS,
        },
        {
          args: [...nightly, '--task', id, '--start', 'review', '--off', '--json'],
          exit: EXIT.done,
          says: '"isEnabled":false',
        },
        { args: [...nightly, '--title', 'Move', '--to', 'done', '--off'], exit: EXIT.done, says: '"Move", to done' },
        { args: ['--name', 'x', '--cron', 'at dawn', '--title', 'x'], exit: EXIT.refused, says: 'at dawn' },
        { args: [...nightly], exit: EXIT.usage, says: '--title' },
        { args: [...nightly, '--task', id], exit: EXIT.usage, says: '--to or --start' },
        { args: ['--name', 'x'], exit: EXIT.usage, says: '--cron' },
        { args: [], stdin: '{"name":"x"}', exit: EXIT.refused, says: 'projectId' },
      ];
    },
  },
  {
    command: 'schedules list',
    cases: async () => [
      { args: ['--all', '--json'], exit: EXIT.done, keys: SCHEDULE_KEYS },
      { args: ['--project', 'nosuch'], exit: EXIT.notFound, says: 'nosuch' },
    ],
  },
  {
    command: 'schedules delete',
    cases: async ({ project, workflow }) => {
      const action = { kind: 'create', task: { title: 'x' } } as const;
      const add = async (name: string) =>
        must(await workflow.saveSchedule({ projectId: project.id, name, cron: '@daily', action }, PERSON));
      const [made] = [await add('x'), await add('each day'), await add('twice'), await add('twice')];
      return [
        { args: [made.id, '--json'], exit: EXIT.done, keys: ['done'] },
        { args: ['each day'], exit: EXIT.done, says: 'Deleted each day' },
        { args: ['twice'], exit: EXIT.refused, says: 'several schedules' },
        { args: ['sch_none'], exit: EXIT.notFound, says: 'sch_none' },
      ];
    },
  },
];

const CHANNELS: ReadonlyArray<Row> = [
  {
    command: 'channels add',
    cases: async () => [
      {
        args: ['hook', '--type', 'webhook', '--url', 'http://127.0.0.1:9/x', '--json'],
        exit: EXIT.done,
        keys: ['channel', 'secret'],
      },
      { args: ['chat'], stdin: '{"type":"slack","url":"https://example.test/x"}', exit: EXIT.done, says: 'slack' },
      { args: ['other', '--type', 'webhook'], exit: EXIT.refused, says: '"url" must be an address' },
      { args: ['hook', '--type', 'pigeon'], exit: EXIT.usage, says: 'Allowed choices' },
      { args: ['hook', '--channel', '{'], exit: EXIT.usage, says: '--channel' },
      { args: ['hook'], exit: EXIT.usage, says: '--type' },
    ],
  },
  {
    command: 'channels list',
    cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['channels', 'quietHours'] }],
  },
  {
    command: 'channels test',
    cases: async ({ workflow, listener }) => {
      must(await workflow.saveChannel({ name: 'heard', channel: { type: 'webhook', url: listener } }, PERSON));
      return [
        { args: ['heard', '--json'], exit: EXIT.done, keys: ['done'] },
        { args: ['hook', '--json'], exit: EXIT.failed, says: 'could not be reached' },
        { args: ['none'], exit: EXIT.notFound, says: 'none' },
      ];
    },
  },
  {
    command: 'channels preferences',
    cases: async () => [
      { args: ['--quiet-from', '22:00', '--quiet-to', '07:00', '--json'], exit: EXIT.done, says: '"from":"22:00"' },
      { args: ['--never-quiet', '--json'], exit: EXIT.done, says: '"quietHours":null' },
      { args: ['--quiet-from', '22:00'], exit: EXIT.usage, says: '--quiet-to' },
      { args: ['--quiet-from', '22:00', '--quiet-to', 'dawn'], exit: EXIT.refused, says: 'dawn' },
      { args: ['--public-url', 'here'], exit: EXIT.refused, says: 'publicUrl' },
    ],
  },
  {
    command: 'channels deliveries',
    cases: async () => [
      { args: ['--json'], exit: EXIT.done },
      { args: ['--limit', '0'], exit: EXIT.refused, says: 'limit' },
    ],
  },
  {
    command: 'channels remove',
    cases: async () => [
      { args: ['hook', '--json'], exit: EXIT.done, keys: ['done'] },
      { args: ['hook'], exit: EXIT.notFound, says: 'hook' },
    ],
  },
];

const SPENDING: ReadonlyArray<Row> = [
  {
    command: 'costs list',
    cases: async () => [
      { args: ['--by', 'model', '--json'], exit: EXIT.done, keys: ['total', 'rows'] },
      { args: ['--by', 'mood'], exit: EXIT.usage, says: 'Allowed choices' },
      { args: ['--time-zone', 'Mars/Base'], exit: EXIT.refused, says: 'Mars/Base' },
    ],
  },
  {
    command: 'stats show',
    cases: async () => [
      { args: ['--json'], exit: EXIT.done, keys: ['runs', 'successRate', 'waiting'] },
      { args: ['--from', 'yore'], exit: EXIT.refused, says: 'yore' },
    ],
  },
  { command: 'stats agents', cases: async () => [{ args: ['--all', '--json'], exit: EXIT.done }] },
  {
    command: 'stats run',
    cases: async ({ task, workflow }) => {
      const run = must(await workflow.startAgent({ taskId: (await task()).id, mode: 'plan' }, PERSON));
      return [
        { args: [run.id, '--json'], exit: EXIT.done, keys: ['run', 'spans', 'waiting'] },
        { args: ['run_none'], exit: EXIT.notFound, says: 'run_none' },
      ];
    },
  },
  {
    command: 'budgets set',
    cases: async ({ task }) => [
      { args: ['--usd', '20', '--per-day', '--json'], exit: EXIT.done, keys: ['id', 'limitUsd', 'spentUsd'] },
      {
        args: ['--task', (await task()).id, '--tokens', '1000', '--when-reached', 'ask', '--json'],
        exit: EXIT.done,
        says: '"whenReached":"ask"',
      },
      { args: ['--usd', 'much'], exit: EXIT.usage, says: '--usd' },
      { args: [], exit: EXIT.usage, says: '--usd or --tokens' },
      { args: ['--task', 'tsk_none', '--usd', '1'], exit: EXIT.notFound, says: 'tsk_none' },
      { args: [], stdin: '{"scope":"moon"}', exit: EXIT.refused, says: 'scope' },
    ],
  },
  {
    command: 'budgets list',
    cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['id', 'scope', 'isReached'] }],
  },
  {
    command: 'budgets delete',
    cases: async ({ workflow }) => {
      const made = must(await workflow.setBudget({ scope: 'all', period: 'day', limitUsd: 1000 }, PERSON));
      return [
        { args: [made.id, '--json'], exit: EXIT.done, keys: ['done'] },
        { args: ['bud_none'], exit: EXIT.notFound, says: 'bud_none' },
      ];
    },
  },
];

const GROUP_KEYS = ['id', 'taskId', 'status', 'attempts'];
const NO_GROUP: Case = { args: ['att_none', '--json'], exit: EXIT.notFound, says: 'att_none' };

const ATTEMPTS: ReadonlyArray<Row> = [
  {
    command: 'attempts start',
    cases: async ({ task }) => {
      const { id } = await task();
      return [
        { args: [id, '--count', '2', '--json'], exit: EXIT.done, keys: GROUP_KEYS },
        { args: [id, '--count', '1'], exit: EXIT.refused, says: 'n:' },
        { args: [id, '--with', 'native', '--with', 'nosuch:m'], exit: EXIT.refused, says: 'no agent "nosuch"' },
        { args: [id], exit: EXIT.usage, says: '--count' },
        { args: ['tsk_none', '--count', '2'], exit: EXIT.notFound, says: 'tsk_none' },
      ];
    },
  },
  {
    command: 'attempts list',
    cases: async ({ task }) => [{ args: [(await task()).id, '--json'], exit: EXIT.done }, NO_TASK],
  },
  {
    command: 'attempts get',
    cases: async ({ task, workflow }) => {
      const group = must(await workflow.startAttempts({ taskId: (await task()).id, n: 2 }, PERSON));
      return [{ args: [group.id, '--json'], exit: EXIT.done, keys: GROUP_KEYS }, NO_GROUP];
    },
  },
  {
    command: 'attempts cancel',
    cases: async ({ task, workflow }) => {
      const group = must(await workflow.startAttempts({ taskId: (await task()).id, n: 2 }, PERSON));
      return [{ args: [group.id, '--json'], exit: EXIT.done, says: '"cancelled"' }, NO_GROUP];
    },
  },
  {
    command: 'attempts choose',
    cases: async ({ task, workflow }) => {
      const group = must(await workflow.startAttempts({ taskId: (await task()).id, n: 2 }, PERSON));
      const runId = group.attempts[1]?.run.id ?? '';
      return [
        { args: [group.id, runId], exit: EXIT.refused, says: 'not ranked yet' },
        { args: ['att_none', runId, '--json'], exit: EXIT.notFound, says: 'att_none' },
      ];
    },
  },
];

const HEALTH: ReadonlyArray<Row> = [
  {
    command: 'status',
    cases: async ({ task }) => [
      { args: ['--json'], exit: EXIT.done, keys: ['running', 'waiting', 'queue', 'health'] },
      { args: [(await task()).id, '--json'], exit: EXIT.done, keys: ['task', 'runs', 'waiting'] },
      {
        args: ['--session', (await task()).key, '--json'],
        exit: EXIT.done,
        keys: ['session_id', 'stage', 'query', 'plan'],
      },
      { args: ['--session'], exit: EXIT.done, says: 'awaiting_clarification' },
      { args: ['--session', 'ZZZ-9'], exit: EXIT.notFound, says: 'ZZZ-9' },
      { args: ['run_none'], exit: EXIT.notFound, says: 'run_none' },
      { args: ['prm_none'], exit: EXIT.notFound, says: 'prm_none' },
      { args: ['ses_none'], exit: EXIT.notFound, says: 'ses_none' },
      {
        args: [],
        env: { ATTRACTOR_HOME: '/dev/null/home' },
        exit: EXIT.database,
      },
    ],
  },
  {
    command: 'supervise',
    cases: async () => [{ args: ['--once', '--json'], exit: EXIT.done, keys: ['findings', 'problems'] }],
  },
  { command: 'limits list', cases: async () => [{ args: ['--json'], exit: EXIT.done }] },
  {
    command: 'limits lift',
    cases: async ({ home }) => {
      limitAccount(home, 'anthropic');
      return [
        { args: ['anthropic', '--json'], exit: EXIT.done, keys: ['account', 'until', 'reason', 'runId'] },
        { args: ['anthropic', '--json'], exit: EXIT.notFound, says: 'anthropic' },
      ];
    },
  },
  {
    command: 'disk',
    cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['totalBytes', 'worktrees'] }],
  },
];

/** As left by a run that hit its provider's limit. */
function limitAccount(home: string, account: string): void {
  const database = new DatabaseSync(join(home, 'attractor.db'));
  const [now, later] = [new Date(), new Date(Date.now() + 3_600_000)].map((time) => time.toISOString());
  const insert = database.prepare('insert into provider_limits values (?, ?, ?, ?, ?)');
  insert.run(account, later ?? '', 'Too many requests', 'run_before', now ?? '');
  database.close();
}

/** A task that no agent worked on has no branch. */
const BRANCHES: ReadonlyArray<Row> = ['branch', 'diff', 'push', 'rebase', 'merge', 'changes'].map((verb) => ({
  command: `tasks ${verb}`,
  cases: async ({ task }) => [{ args: [(await task()).id, '--json'], exit: EXIT.refused, says: 'branch' }, NO_TASK],
}));

/** What is done with reviewed work, on a task that has none. */
const LANDINGS: ReadonlyArray<Row> = [
  {
    command: 'tasks approve',
    cases: async ({ task }) => [
      { args: [(await task()).id, '--json'], exit: EXIT.refused, says: 'nothing to approve' },
      { args: [(await task()).id, '--merge', '--method', 'nosuch'], exit: EXIT.usage, says: '--method' },
      NO_TASK,
    ],
  },
  {
    command: 'tasks resolve',
    cases: async ({ task }) => [{ args: [(await task()).id, '--json'], exit: EXIT.refused, says: 'branch' }, NO_TASK],
  },
  {
    command: 'tasks revert-merge',
    cases: async ({ task }) => [{ args: [(await task()).id, '--json'], exit: EXIT.refused, says: 'branch' }, NO_TASK],
  },
  {
    command: 'tasks rollback',
    cases: async ({ task }) => [
      { args: [(await task()).id, '--all', '--json'], exit: EXIT.refused, says: 'branch' },
      { args: [(await task()).id], exit: EXIT.usage, says: 'say what to undo' },
    ],
  },
];

const CONFIG: Row = {
  command: 'config run',
  cases: async () => [
    { args: ['--json'], exit: EXIT.done, keys: ['agentType', 'values', 'isProjectIgnored'] },
    { args: [], exit: EXIT.done, says: 'maxTurns' },
    { args: ['--agent', 'nosuch'], exit: EXIT.refused, says: 'no agent "nosuch"' },
    { args: ['--project', 'nosuch'], exit: EXIT.notFound, says: 'nosuch' },
  ],
};

const WORKER: Row = {
  command: 'worker',
  cases: async () => [{ args: ['--concurrency', 'x'], exit: EXIT.usage, says: '--concurrency' }],
};

const WATCHING: Row = {
  command: 'tasks watch',
  cases: async ({ task, workflow }) => {
    const [one, other] = [await task(), await task()];
    must(await workflow.transition({ taskId: one.id, to: 'cancelled' }, PERSON));
    must(await workflow.transition({ taskId: other.id, to: 'in_progress' }, PERSON));
    must(await workflow.transition({ taskId: other.id, to: 'done' }, PERSON));
    return [
      { args: [one.id], exit: EXIT.failed },
      { args: [other.id, '--json'], exit: EXIT.done },
      { args: [other.id], exit: EXIT.done, says: 'is done' },
      { args: [other.id, '--until', 'soon'], exit: EXIT.usage, says: 'Allowed choices' },
      NO_TASK,
    ];
  },
};

export const WORK_ROWS: ReadonlyArray<Row> = [
  ...QUEUE,
  ...SCHEDULES,
  ...CHANNELS,
  ...SPENDING,
  ...ATTEMPTS,
  ...HEALTH,
  ...BRANCHES,
  ...LANDINGS,
  WORKER,
  CONFIG,
  WATCHING,
];
