import type { Named, PipelineDefinition, PipelineTransition } from '@attractor/store';
import {
  AFTER_WORK,
  agent,
  asks,
  atMost,
  BEFORE_WORK,
  CANCEL,
  FAILS,
  IDLE,
  MANUAL,
  outcome,
  statuses,
} from './building-blocks.ts';
import {
  approvedPlan,
  IMPLEMENT,
  RESUMES_PLANNING,
  RETRIES_PLANNING,
  RETRY_WORK,
  STARTS_PLANNING,
} from './plan-first.ts';

const ASK_FOR_REVIEW: Named = {
  type: 'create_prompt',
  params: {
    type: 'review',
    title: 'Review the change',
    answers: { approve: 'done', changes: 'implementing', reject: 'cancelled' },
  },
};

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
  ...RESUMES_PLANNING,
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
  ...RETRIES_PLANNING,
  RETRY_WORK,
  CANCEL,
];

/** Clarify, plan, approve, implement, review: the pipeline of a coding task, and the default. */
export const CODING: PipelineDefinition = {
  id: 'coding',
  version: 6,
  name: 'Coding',
  description: 'An agent asks what is unclear and plans, a person approves, an agent implements, a person reviews.',
  isDefault: true,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: statuses({
    ...BEFORE_WORK,
    plan_review: ['Plan review', 'amber', 'waiting'],
    implementing: ['Implementing', 'blue', 'active'],
    pr_review: ['Review', 'purple', 'review'],
    ...AFTER_WORK,
  }),
  transitions: [
    ...STARTS_PLANNING,
    IMPLEMENT,
    ...approvedPlan({ to: 'implementing', hook: agent('implement') }),
    ...WORK,
    ...END,
  ],
};
