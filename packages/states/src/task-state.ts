import type { Named, PipelineStatus, Prompt, StartBlock } from '@attractor/store';
import { isCancelled } from '@attractor/facts';
import { isSettled } from '@attractor/pipeline';
import { causeOfFailure, retryWords } from './causes.ts';
import { endedState } from './ended-state.ts';
import {
  ANSWER_COMMAND,
  answerSteps,
  approveAndMergeStep,
  BUDGETS_STEP,
  DISK_STEP,
  DOCTOR_STEP,
  liftLimitStep,
  mergeSubtaskStep,
  moveStep,
  type NextStep,
  removeDependencyStep,
  reopenStep,
  resumeQueueStep,
  startStep,
  startSubtaskStep,
  stopStep,
  WORK_STEP,
} from './next-step.ts';
import {
  keptWords,
  questionOf,
  restWords,
  state,
  STATE_WORDS,
  STEP_WORDS,
  type TaskState,
  type Words,
} from './state-words.ts';
import type { JobFacts, RunFacts, SplitFacts, StateFacts } from './state-facts.ts';

/** The one fold that makes the state of a task. Pure. */
export function stateOf(facts: StateFacts): TaskState {
  const { task, pipeline, run } = facts;
  if (pipeline.terminalStatuses.includes(task.status)) return endedState(facts, statusOf(facts));
  if (run !== null && run.status === 'running') return underWay(facts, run);
  const [prompt] = facts.prompts;
  if (prompt !== undefined) return asked(facts, prompt);
  if (facts.split !== null) return afterSplit(facts, facts.split);
  return atRest(facts);
}

function underWay(facts: StateFacts, run: RunFacts): TaskState {
  const [prompt] = facts.prompts;
  if (prompt !== undefined) return asked(facts, prompt);
  const { job } = run;
  const steps = [stopStep(run)];
  if (job?.state === 'running' && job.blocked === null)
    return state('working', { about: run.isStopping ? 'stopping' : STEP_WORDS[run.step], since: run.startedAt, steps });
  return job === null
    ? state('queued', { about: 'to be continued', since: run.startedAt, steps })
    : queued(facts, run, job);
}

function queued({ task }: StateFacts, run: RunFacts, job: NonNullable<RunFacts['job']>): TaskState {
  const { pause, blocked, notBefore, limit, retry, workers, labels, unmet } = job;
  const stop = stopStep(run);
  const since = run.startedAt;
  if (pause !== null) {
    const about = pause === 'all' ? 'the queue is paused' : "the project's queue is paused";
    const resume = resumeQueueStep(pause === 'all' ? null : { id: task.projectId, key: prefixOf(task) });
    return state('paused', { about, since, needsPerson: true, steps: [resume, stop] });
  }
  if (blocked !== null) return heldBack(run, job, blocked);
  if (limit !== null)
    return heldBack(run, job, {
      code: 'provider_limit',
      message: limit.reason,
      until: notBefore !== null && notBefore > limit.until ? notBefore : limit.until,
    });
  if (notBefore !== null) return state('paused', { ...retryWords(retry), since, until: notBefore, steps: [stop] });
  if (workers === 0)
    return state('queued', {
      about: 'no worker is running',
      since,
      needsPerson: true,
      steps: [WORK_STEP, stop],
    });
  if (unmet !== null)
    return state('queued', { about: `for a worker with ${labels.join(', ')}`, detail: unmet, since, steps: [stop] });
  return state('queued', { about: 'for a free worker', since, steps: [stop] });
}

/** The key of its project. */
function prefixOf({ key }: StateFacts['task']): string {
  return key.slice(0, key.lastIndexOf('-'));
}

function heldBack(
  run: RunFacts,
  { account }: Pick<JobFacts, 'account'>,
  { code, message, until }: StartBlock,
): TaskState {
  const { kind = 'queued', about = 'held back', steps = [], needsPerson } = HOLDS[code] ?? {};
  const lift = code === 'provider_limit' ? [liftLimitStep(account === '' ? run.agentType : account)] : [];
  return state(kind, {
    about,
    detail: message,
    since: run.startedAt,
    until: until ?? null,
    ...(needsPerson === true && until === undefined ? { needsPerson } : {}),
    steps: [...lift, ...steps, stopStep(run)],
  });
}

type Hold = Partial<Pick<Words, 'about' | 'steps' | 'needsPerson'>> & { readonly kind?: 'paused' | 'queued' };

/** What holds a run back, by the code of whoever does; a person is needed where no time is known at which it ends. */
const HOLDS: Readonly<Partial<Record<string, Hold>>> = {
  provider_limit: { kind: 'paused', about: "the provider's limit" },
  budget: { kind: 'paused', about: 'the budget is reached', needsPerson: true, steps: [BUDGETS_STEP] },
  disk_full: { kind: 'paused', about: 'the disk is full', needsPerson: true, steps: [DISK_STEP] },
  person: { kind: 'paused', about: 'a person was asked' },
  no_checkout: { about: 'for a machine that has the project', needsPerson: true },
  no_home: { about: 'for a machine that can write to its home folder', needsPerson: true },
  no_git_lfs: { about: 'for a machine that has Git LFS', needsPerson: true },
  attempts: { about: 'for the other attempts' },
};

/** The codes of what ends by nobody but a person. */
export function personHolds(): ReadonlyArray<string> {
  return Object.entries(HOLDS).flatMap(([code, hold]) => (hold?.needsPerson === true ? [code] : []));
}

function asked(facts: StateFacts, prompt: Prompt): TaskState {
  const { run } = facts;
  const unreadable = prompt.type === 'unknown' ? [startOver(facts)] : [];
  const isOfWork = prompt.type === 'review' && prompt.payload.proposedPhases === undefined;
  const lands = isOfWork && prompt.payload.part !== true && facts.merge.canMerge;
  return waitingFor(prompt, [
    ...(lands ? [approveAndMergeStep(facts.task, prompt)] : []),
    ...(run?.status === 'running' ? [stopStep(run)] : closeSteps(facts)),
    ...unreadable,
  ]);
}

function waitingFor(prompt: Prompt, others: ReadonlyArray<NextStep>): TaskState {
  return state('waiting', {
    about: questionOf(prompt),
    detail: prompt.title,
    since: prompt.createdAt,
    needsPerson: true,
    steps: [...answerSteps(prompt), ...others],
  });
}

/** The state that a task has because of one of its questions, from the state that it has because of its first. */
export function stateOfQuestion(first: TaskState, prompt: Prompt): TaskState {
  const others = first.steps.filter(({ command }) => !command.startsWith(ANSWER_COMMAND));
  return waitingFor(prompt, others);
}

/** It goes on by itself when all are settled. A person is needed where one could be started, or nothing happens on any of them. */
function afterSplit(facts: StateFacts, { subtasks, mode, since }: SplitFacts): TaskState {
  const left = subtasks.filter((one) => !isSettled(one));
  const names = left.map(({ title, standing }) =>
    standing === 'accepted' ? `${title} (accepted, not merged)` : title,
  );
  const isIdle = left.every(({ isStarted, standing }) => !isStarted || standing === 'accepted');
  const begin = left.flatMap((one) => (one.start === null ? [] : [startSubtaskStep(one, one.start)]));
  const needsPerson = left.length > 0 && (isIdle || begin.length > 0);
  const merge = left.filter(({ standing }) => standing === 'accepted').map(mergeSubtaskStep);
  const onward = mode === null ? onwards(facts) : goOn(facts, { mode, label: 'Go on without waiting' });
  return state('subtasks', {
    about: left.length === 0 ? 'all are settled' : `${left.length} left: ${names.join(', ')}`,
    detail: `${subtasks.length - left.length} of ${subtasks.length} are settled. It continues when all are merged or closed.`,
    since,
    ...(needsPerson ? { needsPerson } : {}),
    steps: [...merge, ...begin, ...onward],
  });
}

/** Nobody works on it, and no question is open. */
function atRest(facts: StateFacts): TaskState {
  const { task, run, enteredAt } = facts;
  const status = statusOf(facts);
  const last = run === null || run.isPast ? null : run;
  if (last !== null && (last.status === 'failed' || last.status === 'timeout')) return failed(facts, last);
  if (status.category === 'blocked') {
    const about = status.label === STATE_WORDS.failed ? {} : { about: status.label };
    const detail = last?.outcome === null || last === null ? null : `The agent reported ${last.outcome}.`;
    return state('failed', { ...about, detail, since: enteredAt, needsPerson: true, steps: onwards(facts) });
  }
  if (last?.status === 'cancelled') return stopped(facts, last);
  if (status.category === 'active' && enteringMode(facts) !== null) return unattended(facts, last);
  if (status.category === 'active')
    return state('by_hand', { about: status.label, since: enteredAt, steps: onwards(facts) });
  if (status.category === 'backlog') return notStarted(facts);
  return state('waiting', {
    about: status.label,
    detail: restWords(task, status.category === 'review' ? facts.merge.branch : null),
    since: enteredAt,
    needsPerson: true,
    steps: status.category === 'review' ? withMerge(facts) : onwards(facts),
  });
}

/** Work that a person may accept can be merged in the same act; the pipeline's own first way stays the first. */
function withMerge(facts: StateFacts): ReadonlyArray<NextStep> {
  const { task, pipeline, options, merge } = facts;
  const [first, ...others] = onwards(facts);
  const canAccept = options.some(
    ({ allowed, transition: { to } }) => allowed && pipeline.terminalStatuses.includes(to) && !closes(facts, to),
  );
  if (first === undefined || !canAccept || !merge.canMerge) return onwards(facts);
  return [first, approveAndMergeStep(task, null), ...others];
}

function failed(facts: StateFacts, run: RunFacts): TaskState {
  const { about, remedy } = causeOfFailure(run, facts.task.key);
  const needsSetup = NEEDS_SETUP.has(run.failure?.agentCode ?? '');
  return state('failed', {
    about,
    detail: sentences(run.error, remedy, keptWords(facts.task, facts.merge)),
    since: run.finishedAt ?? facts.enteredAt,
    needsPerson: true,
    steps: [...(needsSetup ? [DOCTOR_STEP] : []), ...goOn(facts, { mode: run.mode, label: 'Try again' })],
  });
}

function sentences(...parts: ReadonlyArray<string | null>): string {
  return parts.filter((text) => text !== null && text !== '').join(' ');
}

const NEEDS_SETUP: ReadonlySet<string> = new Set([
  'unavailable',
  'authentication',
  'access_denied',
  'configuration',
  'no_sandbox',
]);

function stopped(facts: StateFacts, run: RunFacts): TaskState {
  return state('stopped', {
    detail: sentences('A person stopped the agent.', keptWords(facts.task, facts.merge)),
    since: run.finishedAt ?? facts.enteredAt,
    needsPerson: true,
    steps: goOn(facts, { mode: run.mode, label: 'Go on' }),
  });
}

/** In a status for agents, without one: its report led nowhere, or none was ever started. */
function unattended(facts: StateFacts, run: RunFacts | null): TaskState {
  const detail =
    run === null
      ? 'No agent works on it.'
      : `The agent reported ${run.outcome ?? 'nothing'}, and the pipeline has no transition for that.`;
  return state('stopped', {
    about: 'no agent works on it',
    detail,
    since: run?.finishedAt ?? facts.enteredAt,
    needsPerson: true,
    steps: goOn(facts, { mode: run?.mode ?? enteringMode(facts) ?? 'implement', label: 'Go on' }),
  });
}

/** Another agent in the same mode, unless a way of the pipeline starts one; then the pipeline's ways. */
function goOn(facts: StateFacts, start: { readonly mode: string; readonly label: string }): ReadonlyArray<NextStep> {
  const isLed = facts.options.some(
    ({ allowed, transition }) => allowed && (transition.hooks ?? []).some((hook) => modeOf(hook) === start.mode),
  );
  if (isLed || facts.waitingFor.length > 0) return onwards(facts);
  const { mode, label } = start;
  const own = startStep(facts.task, start);
  const others = onwards(facts).filter(({ command }) => command !== own.command);
  // A pipeline may call a way of its own by the same words.
  return [others.some((other) => other.label === label) ? { ...own, label: `${label}: ${mode}` } : own, ...others];
}

function notStarted(facts: StateFacts): TaskState {
  const { waitingFor, enteredAt } = facts;
  if (waitingFor.length === 0) return state('open', { since: enteredAt, steps: onwards(facts) });
  const names = waitingFor.map(({ key, title }) => `"${title}" (${key})`).join(', ');
  return state('open', {
    about: 'waits for other tasks',
    detail: `Depends on ${names}.`,
    since: enteredAt,
    steps: onwards(facts),
  });
}

/** The pipeline's open ways, the way back to the beginning, and closing it. Where the pipeline is at its end an agent may still start. */
function onwards(facts: StateFacts): ReadonlyArray<NextStep> {
  const { task, pipeline, options, waitingFor } = facts;
  const open = toEachOnce(options.filter(({ allowed, transition }) => allowed && !closes(facts, transition.to)));
  const ways = open.map(({ transition }) => moveStep(task, transition));
  const isLedBack = open.some(({ transition }) => transition.to === pipeline.initialStatus);
  const back = task.status === pipeline.initialStatus || isLedBack ? [] : [startOver(facts)];
  const free = waitingFor.map((other) => removeDependencyStep(task, other));
  const steps = [...ways, ...free, ...back, ...closeSteps(facts)];
  if (ways.length + back.length > 0 || waitingFor.length > 0) return steps;
  const mode = options.some(({ blockedBy }) => blockedBy.some(({ guard }) => guard === 'has_plan'))
    ? 'plan'
    : 'implement';
  return [startStep(task, { mode, label: `Let an agent ${mode} it` }), ...steps];
}

/** A person says where to: of two ways there, the pipeline takes the first. */
function toEachOnce(options: StateFacts['options']): StateFacts['options'] {
  return options.filter(
    ({ transition }, at) => options.findIndex((other) => other.transition.to === transition.to) === at,
  );
}

function startOver({ pipeline, task }: StateFacts): NextStep {
  return reopenStep(task, { to: pipeline.initialStatus, id: 'start_over', label: 'Start over' });
}

function closeSteps(facts: StateFacts): ReadonlyArray<NextStep> {
  const { task, options } = facts;
  const ways = toEachOnce(options.filter(({ allowed, transition }) => allowed && closes(facts, transition.to)));
  return ways.map(({ transition }) => ({ ...moveStep(task, transition), id: 'close', label: 'Close' }));
}

function closes({ pipeline }: StateFacts, to: string): boolean {
  const status = pipeline.statuses.find(({ id }) => id === to);
  return pipeline.terminalStatuses.includes(to) && status !== undefined && isCancelled(to);
}

/** In which mode an agent is started when a task comes into its status; null where people work. */
function enteringMode({ pipeline, task }: StateFacts): string | null {
  const hooks = pipeline.transitions.flatMap(({ to, hooks: own = [] }) => (to === task.status ? own : []));
  return hooks.map(modeOf).find((mode) => mode !== null) ?? null;
}

function modeOf({ type, params }: Named): string | null {
  const mode = params?.['mode'];
  if (type === 'start_agent' || type === 'start_phase_agent') return typeof mode === 'string' ? mode : 'implement';
  return type === 'start_pr_review' ? 'review' : null;
}

function statusOf({ pipeline, task }: StateFacts): PipelineStatus {
  const known = pipeline.statuses.find(({ id }) => id === task.status);
  return known ?? { id: task.status, label: task.status, color: 'gray', category: 'waiting', position: 0 };
}
