import { type QueuedJob, type QueueState, taskKeyOf } from '@attractor/api';
import { CommandFailure, EXIT } from '@attractor/console';
import { facts, moment, table, moreRows } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const ONLY_PROJECT = { flag: '--all', about: 'everything, even if this folder belongs to a project' } as const;

export const QUEUE_STATE = verb({
  name: 'state',
  summary: 'show what runs, what waits, and what it waits for',
  flags: [{ flag: '--limit <n>', about: 'at most so many jobs (default 50)', number: true }, ONLY_PROJECT],
  examples: ['queue', 'queue state --all --json'],
  call: async (call) => call.client.queue.state({ ...(await scope(call)), limit: call.flags.number('limit') ?? 50 }),
  ids: ({ jobs }) => jobs.map(({ runId }) => runId),
  show: (state, { style }) => queueLines(state, style),
  more: ({ jobs, running, queued, waiting }) => {
    const left = Math.max(0, running + queued + waiting - jobs.length);
    return { left, how: moreRows(jobs.length, left) };
  },
});

const QUEUE_VERBS: ReadonlyArray<Verb> = [
  QUEUE_STATE,
  verb({
    name: 'pause',
    summary: 'start no more runs; running ones continue',
    flags: [ONLY_PROJECT],
    notes: 'Of the project of this folder or of --project; with --all of every project.',
    examples: ['queue pause', 'queue pause --all'],
    call: async (call) => call.client.queue.pause(await scope(call)),
    ids: () => [],
    show: (state, { style }) => queueLines(state, style),
  }),
  verb({
    name: 'resume',
    summary: 'start runs again',
    flags: [ONLY_PROJECT],
    examples: ['queue resume', 'queue resume --all'],
    call: async (call) => call.client.queue.resume(await scope(call)),
    ids: () => [],
    show: (state, { style }) => queueLines(state, style),
  }),
  verb({
    name: 'drain',
    summary: 'pause, and wait until the running runs have ended',
    flags: [
      ONLY_PROJECT,
      { flag: '--patience <seconds>', about: 'wait at most this long (default 600)', number: true },
    ],
    notes: 'Exit code 1 if something is still running after that time.',
    examples: ['queue drain --all', 'queue drain --patience 60'],
    call: async (call) => {
      const seconds = call.flags.number('patience');
      const patience = seconds === undefined ? {} : { patienceMs: seconds * 1000 };
      return call.client.queue.drain({ ...(await scope(call)), ...patience });
    },
    ids: ({ jobs }) => jobs.filter(({ state }) => state === 'running').map(({ runId }) => runId),
    show: (state, { style }) => queueLines(state, style),
    exit: ({ running }) => (running === 0 ? EXIT.done : EXIT.failed),
  }),
  verb({
    name: 'limit',
    summary: 'set how many runs of an agent or an account run at once',
    arguments: [
      { name: '<kind>', about: 'agent or account' },
      { name: '<name>', about: 'the type of the agent, or the account' },
      { name: '<max>', about: 'a number, or none' },
    ],
    examples: ['queue limit agent native 4', 'queue limit account anthropic 2', 'queue limit agent native none'],
    call: ({ client, arg }) => client.queue.setLimit({ kind: kindOf(arg(0)), name: arg(1), max: maxOf(arg(2)) }),
    ids: () => [],
    show: (state, { style }) => queueLines(state, style),
  }),
];

async function scope({ flags, projectIfAny }: Call): Promise<{ readonly projectId?: string }> {
  const projectId = flags.has('all') ? null : await projectIfAny();
  return projectId === null ? {} : { projectId };
}

function kindOf(given: string): 'agent' | 'account' {
  if (given === 'agent' || given === 'account') return given;
  throw new CommandFailure(`expected agent or account, not '${given}'`, EXIT.usage);
}

function maxOf(given: string): number | null {
  if (given === 'none') return null;
  const max = Number(given);
  if (given.trim() !== '' && Number.isSafeInteger(max) && max >= 0) return max;
  throw new CommandFailure(`expected a whole number, or none, not '${given}'`, EXIT.usage);
}

function queueLines(state: QueueState, style: Call['style']): ReadonlyArray<string> {
  return [
    ...facts(
      [
        ['state', openText(state)],
        ['running', state.running],
        ['queued', state.queued],
        ['waiting for you', state.waiting],
        ['limits', state.limits.map(({ kind, name, max }) => `${kind} ${name}: ${max}`).join(', ')],
      ],
      style,
    ),
    ...(state.jobs.length === 0 ? [] : ['', ...jobTable(state.jobs, style)]),
  ];
}

/** Of what was asked about: everything, or one project. */
export function openText({ isPaused, lanes }: Pick<QueueState, 'isPaused' | 'lanes'>): string {
  if (isPaused) return 'paused completely; to resume: attractor queue resume --all';
  const paused = lanes.filter((lane) => lane.isPaused).map(({ projectId }) => projectId);
  if (paused.length === 0) return 'open';
  const names = paused.join(', ');
  return paused.length === lanes.length
    ? `paused for ${names}; to resume: attractor queue resume --project ${paused.length === 1 ? names : 'NAME'}`
    : `open, but paused for ${names}`;
}

function jobTable(jobs: ReadonlyArray<QueuedJob>, style: Call['style']): ReadonlyArray<string> {
  return table(jobs, {
    style,
    none: '',
    columns: [
      { head: 'RUN', cell: ({ key }) => key, paint: style.accent },
      { head: 'STATE', cell: ({ state }) => state },
      { head: 'PRIORITY', cell: ({ priority }) => priority },
      { head: 'AGENT', cell: ({ agentType }) => agentType },
      { head: 'TASK', cell: taskKeyOf },
      { head: 'WAITS FOR', cell: waitsFor },
    ],
  });
}

function waitsFor({ state, blocked, notBefore, owner, labels }: QueuedJob): string {
  if (state === 'running') return owner === null ? '' : `at work: ${processOf(owner)}`;
  if (blocked !== null) return blocked.message;
  if (notBefore === null) return labels.length === 0 ? 'a worker' : `a worker with ${labels.join(', ')}`;
  return `${moment(notBefore)} UTC`;
}

/** Workers go by all that tells their process from others; people by its number. */
function processOf(owner: string): string {
  const [, pid] = /"pid":(\d+)/.exec(owner) ?? [];
  return pid === undefined ? owner : `process ${pid}`;
}

export const define = noun({
  description: 'What runs, what waits and for what, pauses and limits.',
  verbs: QUEUE_VERBS,
  bare: QUEUE_STATE,
});
