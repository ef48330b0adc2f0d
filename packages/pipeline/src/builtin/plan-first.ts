import type { Named, PipelineTransition } from '@attractor/store';
import {
  agent,
  asks,
  atMost,
  FAILS,
  HAS_PLAN,
  IDLE,
  MANUAL,
  MAY_START,
  outcome,
  proposes,
  resumes,
} from './building-blocks.ts';

/** Where the work begins once there is a plan. */
export type FirstWork = { readonly to: string; readonly hook: Named };

/** From a new task to the agent that asks what is unclear and plans, or that only plans. */
export const STARTS_PLANNING: ReadonlyArray<PipelineTransition> = [
  {
    id: 'clarify',
    from: 'open',
    to: 'clarifying',
    label: 'Clarify and plan',
    trigger: MANUAL,
    guards: MAY_START,
    hooks: [agent('clarify')],
  },
  {
    id: 'plan',
    from: 'open',
    to: 'planning',
    label: 'Plan',
    trigger: MANUAL,
    guards: MAY_START,
    hooks: [agent('plan')],
  },
];

/** A plan that a person approves, edits, sends back or rejects. */
export function approvedPlan(work: FirstWork): ReadonlyArray<PipelineTransition> {
  return [
    ...planned({ to: 'plan_review', hook: askForPlan(work.to) }),
    {
      id: 'approve_plan',
      from: 'plan_review',
      to: work.to,
      label: 'Approve plan',
      trigger: MANUAL,
      guards: [HAS_PLAN, IDLE],
      hooks: [work.hook],
    },
    {
      id: 'change_plan',
      from: 'plan_review',
      to: 'planning',
      label: 'Ask for changes to the plan',
      trigger: MANUAL,
      guards: [IDLE, atMost('planning')],
      hooks: [agent('plan')],
    },
  ];
}

/** A person's answer moves the task; the status for each answer is defined only here. */
function askForPlan(approve: string): Named {
  return {
    type: 'create_prompt',
    params: {
      type: 'plan_approval',
      title: 'Approve the plan',
      answers: { approve, changes: 'planning', reject: 'cancelled' },
    },
  };
}

/** Whoever clarifies goes on to plan in the same run, or leaves that to a planner. */
export function planned({ to, hook }: FirstWork): ReadonlyArray<PipelineTransition> {
  const plan = { to, trigger: outcome('plan_complete'), guards: [HAS_PLAN], hooks: [hook] };
  return [
    { id: 'clarified', from: 'clarifying', label: 'Nothing unclear, planned', ...plan },
    {
      id: 'clear',
      from: 'clarifying',
      to: 'planning',
      label: 'Nothing unclear',
      trigger: outcome('clarified'),
      hooks: [agent('plan')],
    },
    asks('clarify_asks', 'clarifying'),
    { id: 'clarify_failed', from: 'clarifying', to: 'failed', label: 'Failed', trigger: FAILS },
    { id: 'planned', from: 'planning', label: 'Planned', ...plan },
    asks('plan_asks', 'planning'),
    proposes('plan_options', 'planning'),
    proposes('clarify_options', 'clarifying'),
    { id: 'plan_failed', from: 'planning', to: 'failed', label: 'Failed', trigger: FAILS },
  ];
}

export const RESUMES_PLANNING: ReadonlyArray<PipelineTransition> = [
  resumes('clarifying', 'Resume clarifying', agent('clarify')),
  resumes('planning', 'Resume planning', agent('plan')),
];

/** What failed before there was a plan is taken up where it was: a question that it asks then leads on. */
export const RETRIES_PLANNING: ReadonlyArray<PipelineTransition> = [
  {
    id: 'retry_clarify',
    from: 'failed',
    to: 'clarifying',
    label: 'Clarify and plan again',
    trigger: MANUAL,
    guards: [IDLE, { type: 'has_been_in', params: { statusId: 'clarifying' } }],
    hooks: [agent('clarify')],
  },
  {
    id: 'retry_plan',
    from: 'failed',
    to: 'planning',
    label: 'Plan again',
    trigger: MANUAL,
    guards: [IDLE],
    hooks: [agent('plan')],
  },
];

/** The way past the plan. */
export const IMPLEMENT: PipelineTransition = {
  id: 'implement',
  from: 'open',
  to: 'implementing',
  label: 'Implement without a plan',
  trigger: MANUAL,
  guards: MAY_START,
  hooks: [agent('implement')],
};

export const RETRY_WORK: PipelineTransition = {
  id: 'retry_work',
  from: 'failed',
  to: 'implementing',
  label: 'Implement again',
  trigger: MANUAL,
  guards: [IDLE],
  hooks: [agent('implement')],
};
