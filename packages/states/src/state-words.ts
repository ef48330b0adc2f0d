import type { Prompt, Task } from '@attractor/store';
import type { NextStep } from './next-step.ts';
import { payloadWords } from './payload-words.ts';
import type { MergeFacts, RunFacts } from './state-facts.ts';

/** What a run is busy with, step by step. */
export const STEP_WORDS: Readonly<Record<RunFacts['step'], string>> = {
  prepare: 'the worktree is prepared',
  context: 'context is gathered',
  configure: 'the agent is configured',
  execute: 'the agent is at work',
  monitor: 'usage is accounted for',
  parse: 'the outcome is read',
  validate: 'the work is checked',
  artifacts: 'artifacts are collected',
  trigger: 'the task is moved',
  cleanup: 'cleaning up',
};

/** The words that every list and page shows first, one for each state. */
export const STATE_WORDS = {
  open: 'Not started',
  queued: 'Queued',
  working: 'Working',
  waiting: 'Waiting for you',
  subtasks: 'Waiting for subtasks',
  paused: 'Paused',
  by_hand: 'In your hands',
  stopped: 'Stopped',
  failed: 'Failed',
  accepted: 'Accepted, not merged',
  merged: 'Merged',
  closed: 'Closed',
} as const;

/**
 * How a task stands, for people. `label` is the same wherever it is shown. There is always a next step, and each can be taken as it is
 * written.
 */
export type TaskState = {
  readonly kind: keyof typeof STATE_WORDS;
  readonly label: string;
  /** More about it: why, what for, what would help. */
  readonly detail: string | null;
  readonly since: string;
  /** When it goes on by itself, if that is known. */
  readonly until: string | null;
  /** Nothing happens until a person does something. */
  readonly needsPerson: boolean;
  readonly steps: ReadonlyArray<NextStep>;
};

export type Words = {
  readonly about?: string;
  readonly detail?: string | null;
  readonly since: string;
  readonly until?: string | null;
  readonly needsPerson?: true;
  readonly steps: ReadonlyArray<NextStep>;
};

/** A state in its words. */
export function state(kind: TaskState['kind'], { about, detail, since, until, needsPerson, steps }: Words): TaskState {
  return {
    kind,
    label: about === undefined ? STATE_WORDS[kind] : `${STATE_WORDS[kind]}: ${about}`,
    detail: detail ?? null,
    since,
    until: until ?? null,
    needsPerson: needsPerson === true,
    steps,
  };
}

/** Why nobody goes on with a task that rests: what its agent reported, or the branch that waits to be looked at. */
export function restWords(
  { key, title, pendingPayload }: Pick<Task, 'key' | 'title' | 'pendingPayload'>,
  branch: string | null,
): string {
  if (pendingPayload !== null && pendingPayload.response === null)
    return `The agent reported ${pendingPayload.outcome}:\n${payloadWords(pendingPayload.payload)}`;
  if (branch === null) return `${title}: nothing happens until you say how to go on.`;
  return `The work is on ${branch}: \`attractor tasks diff ${key}\` shows it.`;
}

/** Accepted, and no base has it. Not offered: a person ended the task although no agent had reported the work as ready. */
export function unmergedWords(
  { key }: Pick<Task, 'key'>,
  branch: string,
  { isOffered }: { readonly isOffered: boolean },
): string {
  if (isOffered) return `The work is on ${branch}; its base does not have it yet.`;
  return `No agent finished it. The work so far is on ${branch}, and its base does not have it: \`attractor tasks diff ${key}\` shows it.`;
}

/** What an agent did that did not finish. Without a branch it had changed nothing that could be kept. */
export function keptWords(
  { key }: Pick<Task, 'key'>,
  { branch, unkept }: Pick<MergeFacts, 'branch' | 'unkept'>,
): string | null {
  if (unkept !== null) return unkeptWords(unkept);
  return branch === null ? null : `The work so far is kept on ${branch}: \`attractor tasks diff ${key}\` shows it.`;
}

export function unkeptWords({ branch, problem, isGivenUp }: NonNullable<MergeFacts['unkept']>): string {
  if (isGivenUp)
    return `The agent's work is not on ${branch}: ${problem ?? 'it could not be committed.'} It stays in the worktree, and under refs/attractor/rescue once that is removed.`;
  const yet = `Work that the agent may have left is not on ${branch} yet`;
  return problem === null ? `${yet}: a worker commits it.` : `${yet}: ${problem} It will be retried.`;
}

const QUESTIONS: Readonly<Record<Prompt['type'], string>> = {
  question: 'a question',
  options: 'a choice',
  plan_approval: 'approve the plan',
  review: 'review the change',
  split_proposal: 'split the task',
  tool_approval: 'allow a command',
  budget: 'raise the budget',
  unknown: 'a question of another version',
};

/** A call that is no command is named: people do not allow a command where a file is written. */
export function questionOf(prompt: Prompt): string {
  if (prompt.type !== 'tool_approval') return QUESTIONS[prompt.type];
  const { command, input, toolName } = prompt.payload;
  return typeof (command ?? input['command']) === 'string' ? QUESTIONS.tool_approval : `allow ${toolName}`;
}
