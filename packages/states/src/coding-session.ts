import { isCancelled } from '@attractor/pipeline';
import type { Prompt, Task } from '@attractor/store';
import type { CompletedAction } from './completed-actions.ts';
import { type PendingAction, pendingActionOf } from './pending-action.ts';
import type { StateFacts } from './state-facts.ts';
import type { TaskState } from './state-words.ts';
import { stateOf } from './task-state.ts';

/** Where a coding session is. There are no others. */
export const STAGES = [
  'awaiting_clarification',
  'awaiting_plan_approval',
  'executing',
  'awaiting_tool_approval',
  'completed',
  'cancelled',
  'failed',
] as const;

export type Stage = (typeof STAGES)[number];

/**
 * A task on its way from a request to a change, as one value for programs. `pending_action` is there exactly while a person is awaited, and
 * exactly then the stage is one of the three that say so.
 */
export type CodingSession = {
  /** The id of the task. */
  readonly session_id: Task['id'];
  readonly mode: 'coding';
  readonly stage: Stage;
  readonly query: string;
  /** The request with what was answered about it; null until it is known to be clear. */
  readonly clarified_query: string | null;
  readonly plan: SessionPlan | null;
  readonly pending_action: PendingAction | null;
  readonly completed_actions: ReadonlyArray<CompletedAction>;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The plan as it was last shown or approved. */
export type SessionPlan = { readonly text: string };

export type SessionFacts = {
  readonly facts: StateFacts;
  /** The questions that were answered, oldest first. */
  readonly answered: ReadonlyArray<Prompt>;
  readonly actions: ReadonlyArray<CompletedAction>;
  /** When something last happened. */
  readonly updatedAt: string;
};

/** The one fold that makes the state of a coding session. Pure. */
export function sessionOf({ facts, answered, actions, updatedAt }: SessionFacts): CodingSession {
  const { task } = facts;
  const state = stateOf(facts);
  const pending = pendingActionOf(facts, state);
  const query = queryOf(facts);
  const plan = task.plan === null || task.plan.trim() === '' ? null : { text: task.plan };
  const stage = stageOf(facts, { state, pending });
  return {
    session_id: task.id,
    mode: 'coding',
    stage,
    query,
    clarified_query: clarified(query, { answered, isClear: plan !== null || ENDED.has(stage) }),
    plan,
    pending_action: pending,
    completed_actions: actions,
    created_at: task.createdAt,
    updated_at: updatedAt > task.updatedAt ? updatedAt : task.updatedAt,
  };
}

const ENDED: ReadonlySet<Stage> = new Set(['completed', 'cancelled', 'failed']);

/** The title is often the beginning of a longer request. */
function queryOf({ task: { title, description } }: StateFacts): string {
  if (description.trim() === '') return title;
  return description.startsWith(title.replace(/…$/, '')) ? description : `${title}\n\n${description}`;
}

type Standing = { readonly state: TaskState; readonly pending: PendingAction | null };

function stageOf({ task, pipeline, run, prompts }: StateFacts, { state, pending }: Standing): Stage {
  if (pipeline.terminalStatuses.includes(task.status))
    return isCancelled({ id: task.status }) ? 'cancelled' : 'completed';
  if (pending !== null) return state.kind === 'open' ? 'awaiting_clarification' : AWAITED[prompts[0]?.type ?? 'review'];
  if (state.kind === 'stopped') return run?.status === 'cancelled' ? 'cancelled' : 'failed';
  return state.kind === 'failed' ? 'failed' : 'executing';
}

/** What is asked before the work, about the plan, and while the work is done or shown. */
const AWAITED: Readonly<Record<Prompt['type'], Stage>> = {
  question: 'awaiting_clarification',
  options: 'awaiting_clarification',
  unknown: 'awaiting_clarification',
  plan_approval: 'awaiting_plan_approval',
  split_proposal: 'awaiting_plan_approval',
  tool_approval: 'awaiting_tool_approval',
  review: 'awaiting_tool_approval',
  budget: 'awaiting_tool_approval',
};

type Clarity = { readonly answered: ReadonlyArray<Prompt>; readonly isClear: boolean };

function clarified(query: string, { answered, isClear }: Clarity): string | null {
  const lines = answered.flatMap(answerLines);
  if (lines.length > 0) return [query, ...lines].join('\n');
  return isClear ? query : null;
}

/** What a person said to the questions of agents, each with what was asked. */
function answerLines(prompt: Prompt): ReadonlyArray<string> {
  const { answer } = prompt;
  if (answer === null || (prompt.type !== 'question' && prompt.type !== 'options')) return [];
  const each = (answer.answers ?? []).map(({ questionId, answer: said }) => `${askedAs(prompt, questionId)} ${said}`);
  return [...each, ...(answer.message === undefined || answer.message === '' ? [] : [answer.message])];
}

function askedAs(prompt: Prompt, questionId: string): string {
  const questions = prompt.type === 'question' ? (prompt.payload.questions ?? []) : [];
  return questions.find(({ id }) => id === questionId)?.question ?? `${prompt.title}:`;
}
