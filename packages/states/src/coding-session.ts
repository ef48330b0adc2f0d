import { isCancelled, type SessionStage } from '@attractor/facts';
import { type Plan, planIn, type Prompt, type Task } from '@attractor/store';
import type { CompletedAction } from './completed-actions.ts';
import { type PendingAction, pendingActionOf } from './pending-action.ts';
import type { StateFacts } from './state-facts.ts';
import type { TaskState } from './state-words.ts';
import { stateOf } from './task-state.ts';

/**
 * A task on its way from a request to a change, as one value for programs. `pending_action` is there exactly while a person is awaited, and
 * exactly then the stage is one of the three that say so.
 */
export type CodingSession = {
  /** The id of the task. */
  readonly session_id: Task['id'];
  readonly mode: 'coding';
  readonly stage: SessionStage;
  readonly query: string;
  /** The request with what was answered about it; null until it is known to be clear. */
  readonly clarified_query: string | null;
  readonly plan: SessionPlan | null;
  readonly pending_action: PendingAction | null;
  readonly completed_actions: ReadonlyArray<CompletedAction>;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The plan as it was last shown or approved: its text and, if that has the form, the same as data. */
export type SessionPlan = { readonly text: string } | (Plan & { readonly text: string });

export type SessionFacts = {
  readonly facts: StateFacts;
  /** What is wanted, as it was last clarified; null: nobody did. */
  readonly clarified: string | null;
  readonly actions: ReadonlyArray<CompletedAction>;
  /** When something last happened. */
  readonly updatedAt: string;
};

/** The one fold that makes the state of a coding session. Pure. */
export function sessionOf({ facts, clarified, actions, updatedAt }: SessionFacts): CodingSession {
  const { task } = facts;
  const state = stateOf(facts);
  const pending = pendingActionOf(facts, state);
  const query = queryOf(facts);
  const plan = planOf(task.plan ?? '');
  const stage = stageOf(facts, { state, pending });
  return {
    session_id: task.id,
    mode: 'coding',
    stage,
    query,
    clarified_query: clarified ?? (plan !== null || ENDED.has(stage) ? query : null),
    plan,
    pending_action: pending,
    completed_actions: actions,
    created_at: task.createdAt,
    updated_at: updatedAt > task.updatedAt ? updatedAt : task.updatedAt,
  };
}

const ENDED: ReadonlySet<SessionStage> = new Set(['completed', 'cancelled', 'failed']);

function planOf(text: string): SessionPlan | null {
  return text.trim() === '' ? null : { text, ...planIn(text) };
}

/** The title is often the beginning of a longer request. */
function queryOf({ task: { title, description } }: StateFacts): string {
  if (description.trim() === '') return title;
  return description.startsWith(title.replace(/…$/, '')) ? description : `${title}\n\n${description}`;
}

type Standing = { readonly state: TaskState; readonly pending: PendingAction | null };

function stageOf({ task, pipeline, run, prompts }: StateFacts, { state, pending }: Standing): SessionStage {
  if (pipeline.terminalStatuses.includes(task.status)) return isCancelled(task.status) ? 'cancelled' : 'completed';
  if (pending !== null) return state.kind === 'open' ? 'awaiting_clarification' : AWAITED[prompts[0]?.type ?? 'review'];
  if (state.kind === 'stopped') return run?.status === 'cancelled' ? 'cancelled' : 'failed';
  return state.kind === 'failed' ? 'failed' : 'executing';
}

/** What is asked before the work, about the plan, and while the work is done or shown. */
const AWAITED: Readonly<Record<Prompt['type'], SessionStage>> = {
  question: 'awaiting_clarification',
  options: 'awaiting_clarification',
  unknown: 'awaiting_clarification',
  plan_approval: 'awaiting_plan_approval',
  split_proposal: 'awaiting_plan_approval',
  tool_approval: 'awaiting_tool_approval',
  review: 'awaiting_tool_approval',
  budget: 'awaiting_tool_approval',
};
