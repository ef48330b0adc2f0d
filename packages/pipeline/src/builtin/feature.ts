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
  NEEDS_INFO,
  outcome,
  READY_TO_MERGE,
  proposes,
  resumes,
  reviewLoop,
  statuses,
} from './building-blocks.ts';

const ASK_FOR_DESIGN: Named = {
  type: 'create_prompt',
  params: {
    type: 'review',
    title: 'Review the design',
    answers: { approve: 'planning', changes: 'ux_design', reject: 'cancelled' },
  },
};
const ASK_FOR_PLAN: Named = {
  type: 'create_prompt',
  params: {
    type: 'plan_approval',
    title: 'Approve the plan',
    answers: { approve: 'in_progress', changes: 'planning', reject: 'cancelled' },
  },
};

const start = (to: string, mode: string, label: string): PipelineTransition => ({
  id: `start_${mode}`,
  from: 'open',
  to,
  label,
  trigger: MANUAL,
  guards: MAY_START,
  hooks: [agent(mode)],
});

const DESIGN_AND_PLAN: ReadonlyArray<PipelineTransition> = [
  {
    id: 'designed',
    from: 'ux_design',
    to: 'design_review',
    label: 'Designed',
    trigger: outcome('design_ready'),
    hooks: [ASK_FOR_DESIGN],
  },
  {
    id: 'approve_design',
    from: 'design_review',
    to: 'planning',
    label: 'Approve design',
    trigger: MANUAL,
    guards: [IDLE],
    hooks: [agent('plan')],
  },
  {
    id: 'change_design',
    from: 'design_review',
    to: 'ux_design',
    label: 'Ask for changes to the design',
    trigger: MANUAL,
    guards: [IDLE, atMost('ux_design')],
    hooks: [agent('design')],
  },
  {
    id: 'planned',
    from: 'planning',
    to: 'planned',
    label: 'Planned',
    trigger: outcome('plan_complete'),
    guards: [HAS_PLAN],
    hooks: [ASK_FOR_PLAN],
  },
  {
    id: 'implement',
    from: 'planned',
    to: 'in_progress',
    label: 'Implement',
    trigger: MANUAL,
    guards: [HAS_PLAN, IDLE],
    hooks: [agent('implement')],
  },
  {
    id: 'change_plan',
    from: 'planned',
    to: 'planning',
    label: 'Ask for changes to the plan',
    trigger: MANUAL,
    guards: [IDLE, atMost('planning')],
    hooks: [agent('plan')],
  },
];

/** What failed there is taken up there: a question that it asks then leads on. */
function again(id: string, statusId: string, label: string, hook: Named): PipelineTransition {
  const guards = [IDLE, { type: 'has_been_in', params: { statusId } }];
  return { id, from: 'failed', to: statusId, label, trigger: MANUAL, guards, hooks: [hook] };
}

/** Design, plan, implement, review; each of the first two may be skipped. */
export const FEATURE: PipelineDefinition = {
  id: 'feature',
  version: 5,
  name: 'Feature',
  description: 'Design and plan with approvals, then implementation and review.',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: statuses({
    open: ['Open', 'gray', 'backlog'],
    ux_design: ['Design', 'blue', 'active'],
    design_review: ['Design review', 'amber', 'waiting'],
    planning: ['Planning', 'blue', 'active'],
    planned: ['Planned', 'amber', 'waiting'],
    in_progress: ['In progress', 'blue', 'active'],
    pr_review: ['Review', 'purple', 'review'],
    changes_requested: ['Changes requested', 'amber', 'waiting'],
    ready_to_merge: READY_TO_MERGE,
    needs_info: NEEDS_INFO,
    done: ['Done', 'green', 'done'],
    failed: ['Failed', 'red', 'blocked'],
    cancelled: ['Cancelled', 'gray', 'done'],
  }),
  transitions: [
    start('ux_design', 'design', 'Design'),
    start('planning', 'plan', 'Plan'),
    start('in_progress', 'implement', 'Implement without a plan'),
    ...DESIGN_AND_PLAN,
    asks('design_asks', 'ux_design'),
    proposes('design_options', 'ux_design'),
    asks('plan_asks', 'planning'),
    proposes('plan_options', 'planning'),
    resumes('ux_design', 'Resume designing', agent('design')),
    resumes('planning', 'Resume planning', agent('plan')),
    ...reviewLoop('in_progress'),
    { id: 'fail', from: '*', to: 'failed', label: 'Failed', trigger: FAILS },
    {
      id: 'retry',
      from: 'failed',
      to: 'in_progress',
      label: 'Implement again',
      trigger: MANUAL,
      guards: [IDLE],
      hooks: [agent('implement')],
    },
    again('retry_plan', 'planning', 'Plan again', agent('plan')),
    again('retry_design', 'ux_design', 'Design again', agent('design')),
    CANCEL,
  ],
};
