import type { Named, PipelineStatus, PipelineTransition } from '@attractor/store';

/** The building blocks of the built-in pipelines. */
export const MANUAL = { type: 'manual' } as const;
export const FAILS = { type: 'agent_error' } as const;
export const IDLE: Named = { type: 'no_running_agent' };
export const HAS_PLAN: Named = { type: 'has_plan' };
const HAS_PR: Named = { type: 'has_pr' };
/** Before the first agent starts: the task's dependencies are done, and no agent works on it. */
export const MAY_START: ReadonlyArray<Named> = [IDLE, { type: 'dependencies_resolved' }];

export const agent = (mode: string): Named => ({ type: 'start_agent', params: { mode } });
export const outcome = (name: string) => ({ type: 'agent_outcome', outcome: name }) as const;
export const atMost = (statusId: string, max = 5): Named => ({ type: 'max_iterations', params: { statusId, max } });

/** Asked by an agent; the answer leads back to where it was asked. */
const ASK_QUESTIONS: Named = {
  type: 'create_prompt',
  params: { type: 'question', title: 'The agent needs answers', answers: { answer: 'previous' } },
};
const ASK_TO_CHOOSE: Named = {
  type: 'create_prompt',
  params: { type: 'options', title: 'Choose a way', answers: { answer: 'previous' } },
};

export const NEEDS_INFO: Sketch = ['Needs answers', 'amber', 'waiting'];

/** An agent's question takes the task to `needs_info`. */
export const asks = (id: string, from: string): PipelineTransition => ({
  id,
  from,
  to: 'needs_info',
  label: 'Asks',
  trigger: outcome('needs_info'),
  hooks: [ASK_QUESTIONS],
});

export const proposes = (id: string, from: string): PipelineTransition => ({
  id,
  from,
  to: 'needs_info',
  label: 'Proposes options',
  trigger: outcome('options_proposed'),
  hooks: [ASK_TO_CHOOSE],
});

/** Answered, the work goes on. */
export const resumes = (to: string, label: string, hook: Named): PipelineTransition => ({
  id: `resume_${to}`,
  from: 'needs_info',
  to,
  label,
  trigger: MANUAL,
  guards: [IDLE],
  hooks: [hook],
});

export const CANCEL: PipelineTransition = {
  id: 'cancel',
  from: '*',
  to: 'cancelled',
  label: 'Cancel',
  trigger: MANUAL,
  hooks: [{ type: 'stop_agent' }],
};

/** Where a task stands before the work, in a pipeline that plans. */
export const BEFORE_WORK: Readonly<Record<string, Sketch>> = {
  open: ['Open', 'gray', 'backlog'],
  clarifying: ['Clarifying', 'blue', 'active'],
  planning: ['Planning', 'blue', 'active'],
};

/** Where work waits for answers, and where it ends. */
export const AFTER_WORK: Readonly<Record<string, Sketch>> = {
  needs_info: NEEDS_INFO,
  done: ['Done', 'green', 'done'],
  failed: ['Failed', 'red', 'blocked'],
  cancelled: ['Cancelled', 'gray', 'done'],
};

type Sketch = readonly [label: string, color: string, category: PipelineStatus['category']];

/** Statuses in the order in which they are written. */
export function statuses(sketches: Readonly<Record<string, Sketch>>): ReadonlyArray<PipelineStatus> {
  return Object.entries(sketches).map(([id, [label, color, category]], position) => ({
    id,
    label,
    color,
    category,
    position,
  }));
}

/** An agent's approval is not the last word: a person decides what goes onto the base. */
export const READY_TO_MERGE: Sketch = ['Ready to merge', 'amber', 'waiting'];

const askToMerge = (work: string): Named => ({
  type: 'create_prompt',
  params: {
    type: 'review',
    title: 'Merge the change',
    answers: { approve: 'done', changes: work, reject: 'cancelled' },
  },
});

/** What a person may do with work that an agent approved. */
function afterApproval(work: string): ReadonlyArray<PipelineTransition> {
  return [
    {
      id: 'merge_approved',
      from: 'ready_to_merge',
      to: 'done',
      label: 'Merge',
      trigger: MANUAL,
      guards: [IDLE, HAS_PR],
      hooks: [{ type: 'merge_pr' }],
    },
    {
      id: 'rework_approved',
      from: 'ready_to_merge',
      to: work,
      label: 'Ask for changes',
      trigger: MANUAL,
      guards: [IDLE, atMost(work)],
      hooks: [agent('implement')],
    },
  ];
}

/** From a finished change to its end: reviewed by an agent, then merged by a person, or sent back by either. */
export function reviewLoop(work: string): ReadonlyArray<PipelineTransition> {
  return [
    {
      id: 'ready',
      from: work,
      to: 'pr_review',
      label: 'Ready for review',
      trigger: outcome('pr_ready'),
      hooks: [{ type: 'start_pr_review' }],
    },
    {
      id: 'review_asks',
      from: 'pr_review',
      to: 'changes_requested',
      label: 'The reviewer asks for changes',
      trigger: outcome('changes_requested'),
    },
    {
      id: 'review_approves',
      from: 'pr_review',
      to: 'ready_to_merge',
      label: 'The reviewer approves',
      trigger: outcome('approved'),
      guards: [HAS_PR],
      hooks: [askToMerge(work)],
    },
    ...afterApproval(work),
    {
      id: 'merge',
      from: 'pr_review',
      to: 'done',
      label: 'Merge',
      trigger: MANUAL,
      guards: [IDLE, HAS_PR],
      hooks: [{ type: 'merge_pr' }],
    },
    {
      id: 'request_changes',
      from: 'pr_review',
      to: 'changes_requested',
      label: 'Ask for changes',
      trigger: MANUAL,
      guards: [IDLE],
    },
    {
      id: 'rework',
      from: 'changes_requested',
      to: work,
      label: 'Rework',
      trigger: MANUAL,
      guards: [IDLE, atMost(work)],
      hooks: [agent('implement')],
    },
    asks('work_asks', work),
    asks('review_asks_person', 'pr_review'),
    resumes(work, 'Resume work', agent('implement')),
    resumes('pr_review', 'Resume the review', { type: 'start_pr_review' }),
  ];
}
