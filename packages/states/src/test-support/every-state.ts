import { BUILT_IN_PIPELINES } from '@attractor/pipeline';
import type { JobFacts, MergeFacts, MergeObstacle, RunFacts, StateFacts } from '../state-facts.ts';
import { stateOf } from '../task-state.ts';
import {
  type AgentRunStatus,
  askOf,
  type PipelineDefinition,
  type Prompt,
  RUN_STEPS,
  type Task,
  type TransitionOption,
} from '@attractor/store';

export { stateOf };

const AT = '2026-11-16T10:00:00.000Z';
const LATER = '2026-11-16T12:00:00.000Z';

/** People write such pipelines: nothing closes a task, a guard that can't pass, names that a shell would take apart. */
const AWKWARD: PipelineDefinition = {
  id: 'awkward',
  version: 1,
  name: 'Awkward',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['it is done'],
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: "o'clock; ls", label: 'Odd', color: 'gray', category: 'waiting', position: 1 },
    { id: 'it is done', label: 'Done', color: 'gray', category: 'done', position: 2 },
  ],
  transitions: [
    {
      id: 'never',
      from: 'open',
      to: "o'clock; ls",
      label: 'Never',
      trigger: { type: 'manual' },
      guards: [{ type: 'has_plan' }],
    },
    { id: 'end', from: "o'clock; ls", to: 'it is done', label: 'End', trigger: { type: 'agent_error' } },
  ],
};

/**
 * Every combination of what the store may hold about a task, for every pipeline: what can't happen is harmless here. With `each` only each
 * so-manieth of them; a prime that divides no number of choices meets any two choices together.
 */
export function* everyStateFacts(
  pipelines: ReadonlyArray<PipelineDefinition> = [...BUILT_IN_PIPELINES, AWKWARD],
  each = 1,
): Generator<StateFacts> {
  const [before, atEnd] = [[...combinations(choicesFor(false))], [...combinations(choicesFor(true))]];
  let turn = 0;
  for (const pipeline of pipelines)
    for (const { id: status } of pipeline.statuses)
      for (const rest of pipeline.terminalStatuses.includes(status) ? atEnd : before) {
        turn = (turn + 1) % each;
        if (turn !== 0) continue;
        yield {
          task: taskIn(pipeline, status),
          pipeline,
          options: optionsOf(pipeline, status, rest.guards),
          enteredAt: AT,
          cameFrom: null,
          run: rest.run,
          prompts: rest.prompts,
          merge: rest.merge,
          split: rest.split,
          waitingFor: rest.first,
        };
      }
}

/** Merges matter at the end, runs and questions before it. */
function choicesFor(isEnd: boolean) {
  return isEnd
    ? {
        run: RUNS,
        prompts: PROMPTS.slice(0, 2),
        merge: MERGES,
        guards: GUARDED.slice(0, 1),
        first: FIRST.slice(0, 1),
        split: SPLITS.slice(0, 1),
      }
    : { run: RUNS, prompts: PROMPTS, merge: MERGES.slice(1, 2), guards: GUARDED, first: FIRST, split: SPLITS };
}

const PART = { id: 'tsk_3', key: 'ATT-3', title: 'A "part"', standing: 'open', start: null, isStarted: false } as const;

const SPLITS: ReadonlyArray<StateFacts['split']> = [
  null,
  { since: AT, mode: null, subtasks: [PART, { ...PART, id: 'tsk_4', key: 'ATT-4', standing: 'merged' }] },
  {
    since: AT,
    mode: 'plan',
    subtasks: [
      { ...PART, start: { mode: 'implement' } },
      { ...PART, id: 'tsk_4', key: 'ATT-4', isStarted: true, standing: 'accepted' },
      { ...PART, id: 'tsk_5', key: 'ATT-5', isStarted: true },
    ],
  },
  { since: AT, mode: 'implement', subtasks: [{ ...PART, standing: 'gone' }] },
];

const GUARDED: ReadonlyArray<'pass' | 'fail'> = ['pass', 'fail'];
const FIRST: ReadonlyArray<StateFacts['waitingFor']> = [[], [{ id: 'tsk_2', key: 'ATT-2', title: 'Another "one"' }]];

const OBSTACLES: ReadonlyArray<MergeObstacle | null> = [
  null,
  { kind: 'conflict' },
  { kind: 'behind' },
  { kind: 'checks' },
  { kind: 'uncommitted', folder: '/home/ada/a project', files: ["it's.txt"] },
];

const MERGES: ReadonlyArray<MergeFacts> = withUnkept([
  { branch: null, merged: null, isOffered: false, canMerge: false, isMerging: false, problem: null },
  { branch: 'agent/x', merged: null, isOffered: true, canMerge: true, isMerging: false, problem: null },
  { branch: 'agent/x', merged: null, isOffered: false, canMerge: false, isMerging: false, problem: null },
  ...OBSTACLES.map((obstacle) => ({
    branch: 'agent/x',
    merged: null,
    isOffered: true,
    canMerge: true,
    isMerging: false,
    problem: { message: 'It could not be merged.', obstacle },
  })),
  { branch: 'agent/x', merged: null, isOffered: true, canMerge: true, isMerging: true, problem: null },
  {
    branch: 'agent/x',
    merged: { commit: 'c0ffee', base: 'main', method: 'squash', at: AT, revertedBy: null, canRevert: true },
    isOffered: true,
    canMerge: false,
    isMerging: false,
    problem: null,
  },
]);

function withUnkept(merges: ReadonlyArray<Omit<MergeFacts, 'unkept'>>): ReadonlyArray<MergeFacts> {
  const unkept = { branch: 'agent/x', problem: null, isGivenUp: false };
  return merges.flatMap((merge, at) => [{ ...merge, unkept: null }, ...(at === 0 ? [{ ...merge, unkept }] : [])]);
}

const JOB: JobFacts = {
  state: 'queued',
  account: '',
  limit: null,
  notBefore: null,
  retry: null,
  blocked: null,
  pause: null,
  workers: 1,
  labels: [],
  unmet: null,
};
const JOBS: ReadonlyArray<JobFacts | null> = [
  null,
  JOB,
  { ...JOB, state: 'running' },
  { ...JOB, workers: 0 },
  { ...JOB, labels: ['gpu', 'arm'], unmet: 'No running worker has gpu, arm.' },
  { ...JOB, pause: 'all' },
  { ...JOB, pause: 'project' },
  { ...JOB, notBefore: LATER },
  { ...JOB, notBefore: LATER, retry: { cause: 'overloaded', failure: 'Overloaded' } },
  { ...JOB, limit: { until: LATER, reason: 'usage limit' } },
  { ...JOB, notBefore: LATER, limit: { until: LATER, reason: 'usage limit' } },
  { ...JOB, state: 'waiting' },
  { ...JOB, state: 'waiting', blocked: { code: 'person', message: 'Waits for a person' } },
  ...['provider_limit', 'budget', 'attempts', 'disk_full', 'person', 'new one'].map((code) => ({
    ...JOB,
    account: 'an account',
    blocked: { code, message: `Held back: ${code}`, until: LATER },
  })),
];

const RUN: RunFacts = {
  id: 'run_1',
  key: 'ATT-1.1',
  mode: 'implement',
  status: 'running',
  outcome: null,
  error: null,
  agentType: 'native',
  startedAt: AT,
  finishedAt: null,
  isStopping: false,
  step: 'execute',
  isPast: false,
  failure: null,
  job: null,
};

const ENDS: ReadonlyArray<AgentRunStatus> = ['completed', 'failed', 'cancelled', 'timeout'];
const FAILURES = [null, { code: 'checks_failed' }, { code: 'agent_failed', agentCode: 'authentication' }];

const RUNS: ReadonlyArray<RunFacts | null> = [
  null,
  ...JOBS.map((job) => ({ ...RUN, job })),
  ...RUN_STEPS.filter((_, at) => at % 4 === 0).map((step) => ({
    ...RUN,
    step,
    isStopping: step === 'monitor',
    job: { ...JOB, state: 'running' as const },
  })),
  ...ENDS.flatMap((status) =>
    [false, true].flatMap((isPast) =>
      FAILURES.map((failure) => ({ ...RUN, status, isPast, failure, error: 'It broke.', finishedAt: LATER })),
    ),
  ),
];

const ASKED = [
  askOf('plan_approval', { plan: '1. Do it', answers: { approve: 'a', changes: 'b' } }),
  askOf('review', { branch: 'agent/x' }),
  askOf('question', {
    questions: [{ id: 'q 1', question: 'Which?', inputType: 'choice', options: ["it's", '$(ls)'] }],
  }),
  askOf('question', {
    questions: [
      { id: 'a', question: 'A?' },
      { id: 'b', question: 'B?', inputType: 'choice', options: ['x'] },
    ],
  }),
  askOf('options', { options: [{ id: 'short way', label: 'Short', description: 'd', recommended: true }] }),
  askOf('split_proposal', { subtasks: [{ name: 'a', title: 'A' }], again: 'plan' }),
  askOf('tool_approval', { toolCallId: 'c', toolName: 'shell', input: { command: 'ls' } }),
  askOf('budget', { budgetId: 'bud_1' }),
  askOf('unknown', { type: 'new', payload: {} }),
];

const PROMPTS: ReadonlyArray<ReadonlyArray<Prompt>> = [[], ...ASKED.map((asked) => [promptOf(asked)])];

function promptOf(asked: (typeof ASKED)[number]): Prompt {
  const rest = {
    id: 'prm_1',
    key: 'ATT-1.q1',
    taskId: 'tsk_1',
    runId: null,
    title: 'Well?',
    contentHash: 'abc',
    createdAt: AT,
  } as const;
  return { ...rest, ...asked, status: 'pending', answer: null, answeredAt: null };
}

function optionsOf(
  { transitions, terminalStatuses }: PipelineDefinition,
  status: string,
  guards: (typeof GUARDED)[number],
): ReadonlyArray<TransitionOption> {
  if (terminalStatuses.includes(status)) return [];
  return transitions
    .filter(({ from, to, trigger }) => (from === status || from === '*') && to !== status && isManual(trigger.type))
    .map((transition) => {
      const blockedBy =
        guards === 'pass' ? [] : (transition.guards ?? []).map(({ type }) => ({ guard: type, reason: 'No.' }));
      return { transition, allowed: blockedBy.length === 0, blockedBy };
    });
}

function isManual(trigger: string): boolean {
  return trigger === 'manual' || trigger === 'any';
}

function taskIn(pipeline: PipelineDefinition, status: string): Task {
  return {
    id: 'tsk_1',
    key: 'ATT-1',
    projectId: 'prj_1',
    title: 'A task',
    description: '',
    status,
    pipelineId: pipeline.id,
    pipelineVersion: pipeline.version,
    priority: 'medium',
    size: 'm',
    complexity: 'medium',
    tags: [],
    plan: null,
    parentTaskId: null,
    sortOrder: 0,
    acceptanceCriteria: [],
    pendingPayload: null,
    sourceUrl: null,
    version: 1,
    createdAt: AT,
    updatedAt: AT,
  };
}

type Choices = Readonly<Record<string, ReadonlyArray<unknown>>>;

function* combinations<Given extends Choices>(
  given: Given,
): Generator<{ readonly [Name in keyof Given]: Given[Name][number] }> {
  const [first, ...others] = Object.entries(given);
  if (first === undefined) {
    yield {} as { readonly [Name in keyof Given]: Given[Name][number] };
    return;
  }
  const [name, values] = first;
  for (const value of values)
    for (const rest of combinations(Object.fromEntries(others)))
      yield { [name]: value, ...rest } as { readonly [Name in keyof Given]: Given[Name][number] };
}
