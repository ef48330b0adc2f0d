import type { Named, PipelineDefinition, PipelineTransition } from '@attractor/store';
import {
  agent,
  asks,
  atMost,
  CANCEL,
  FAILS,
  HAS_PLAN,
  IDLE,
  MANUAL,
  MAY_START,
  outcome,
  proposes,
} from './building-blocks.ts';

/** A person's answer moves the task; the status for each answer is defined only here. */
const ASK_FOR_PLAN: Named = {
  type: 'create_prompt',
  params: {
    type: 'plan_approval',
    title: 'Approve the plan',
    answers: { approve: 'implementing', changes: 'planning', reject: 'cancelled' },
  },
};
const ASK_FOR_REVIEW: Named = {
  type: 'create_prompt',
  params: {
    type: 'review',
    title: 'Review the change',
    answers: { approve: 'done', changes: 'implementing', reject: 'cancelled' },
  },
};

const START: ReadonlyArray<PipelineTransition> = [
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
  {
    id: 'implement',
    from: 'open',
    to: 'implementing',
    label: 'Implement without a plan',
    trigger: MANUAL,
    guards: MAY_START,
    hooks: [agent('implement')],
  },
];

const PLAN: ReadonlyArray<PipelineTransition> = [
  {
    id: 'clarified',
    from: 'clarifying',
    to: 'plan_review',
    label: 'Nothing unclear, planned',
    trigger: outcome('plan_complete'),
    guards: [HAS_PLAN],
    hooks: [ASK_FOR_PLAN],
  },
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
  {
    id: 'planned',
    from: 'planning',
    to: 'plan_review',
    label: 'Planned',
    trigger: outcome('plan_complete'),
    guards: [HAS_PLAN],
    hooks: [ASK_FOR_PLAN],
  },
  asks('plan_asks', 'planning'),
  proposes('plan_options', 'planning'),
  proposes('clarify_options', 'clarifying'),
  { id: 'plan_failed', from: 'planning', to: 'failed', label: 'Failed', trigger: FAILS },
  {
    id: 'approve_plan',
    from: 'plan_review',
    to: 'implementing',
    label: 'Approve plan',
    trigger: MANUAL,
    guards: [HAS_PLAN, IDLE],
    hooks: [agent('implement')],
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

const WORK: ReadonlyArray<PipelineTransition> = [
  {
    id: 'ready',
    from: 'implementing',
    to: 'pr_review',
    label: 'Ready for review',
    trigger: outcome('pr_ready'),
    hooks: [ASK_FOR_REVIEW],
  },
  asks('work_asks', 'implementing'),
  { id: 'work_failed', from: 'implementing', to: 'failed', label: 'Failed', trigger: FAILS },
  {
    id: 'resume_clarifying',
    from: 'needs_info',
    to: 'clarifying',
    label: 'Resume clarifying',
    trigger: MANUAL,
    guards: [IDLE],
    hooks: [agent('clarify')],
  },
  {
    id: 'resume_planning',
    from: 'needs_info',
    to: 'planning',
    label: 'Resume planning',
    trigger: MANUAL,
    guards: [IDLE],
    hooks: [agent('plan')],
  },
  {
    id: 'resume_work',
    from: 'needs_info',
    to: 'implementing',
    label: 'Resume work',
    trigger: MANUAL,
    guards: [IDLE],
    hooks: [agent('implement')],
  },
];

const END: ReadonlyArray<PipelineTransition> = [
  {
    id: 'accept',
    from: 'pr_review',
    to: 'done',
    label: 'Accept',
    trigger: MANUAL,
    guards: [IDLE, { type: 'has_branch' }],
  },
  {
    id: 'rework',
    from: 'pr_review',
    to: 'implementing',
    label: 'Ask for changes',
    trigger: MANUAL,
    guards: [IDLE, atMost('implementing')],
    hooks: [agent('implement')],
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
  {
    id: 'retry_work',
    from: 'failed',
    to: 'implementing',
    label: 'Try again',
    trigger: MANUAL,
    guards: [IDLE],
    hooks: [agent('implement')],
  },
  CANCEL,
];

/** Clarify, plan, approve, implement, review: the pipeline of a coding task, and the default. */
export const CODING: PipelineDefinition = {
  id: 'coding',
  version: 4,
  name: 'Coding',
  description: 'An agent asks what is unclear and plans, a person approves, an agent implements, a person reviews.',
  isDefault: true,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'clarifying', label: 'Clarifying', color: 'blue', category: 'active', position: 1 },
    { id: 'planning', label: 'Planning', color: 'blue', category: 'active', position: 2 },
    { id: 'plan_review', label: 'Plan review', color: 'amber', category: 'waiting', position: 3 },
    { id: 'implementing', label: 'Implementing', color: 'blue', category: 'active', position: 4 },
    { id: 'pr_review', label: 'Review', color: 'purple', category: 'review', position: 5 },
    { id: 'needs_info', label: 'Needs answers', color: 'amber', category: 'waiting', position: 6 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 7 },
    { id: 'failed', label: 'Failed', color: 'red', category: 'blocked', position: 8 },
    { id: 'cancelled', label: 'Cancelled', color: 'gray', category: 'done', position: 9 },
  ],
  transitions: [...START, ...PLAN, ...WORK, ...END],
};
