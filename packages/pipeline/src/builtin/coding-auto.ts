import type { PipelineDefinition, PipelineTransition } from '@attractor/store';
import {
  agent,
  asks,
  CANCEL,
  FAILS,
  IDLE,
  MANUAL,
  MAY_START,
  NEEDS_INFO,
  outcome,
  resumes,
  statuses,
} from './building-blocks.ts';
import { planned, RESUMES_PLANNING, RETRY_PLAN, STARTS_PLANNING } from './plan-first.ts';

const WORK: ReadonlyArray<PipelineTransition> = [
  {
    id: 'implement',
    from: 'open',
    to: 'implementing',
    label: 'Implement without a plan',
    trigger: MANUAL,
    guards: MAY_START,
    hooks: [agent('implement')],
  },
  { id: 'ready', from: 'implementing', to: 'done', label: 'Done', trigger: outcome('pr_ready') },
  asks('work_asks', 'implementing'),
  { id: 'work_failed', from: 'implementing', to: 'failed', label: 'Failed', trigger: FAILS },
  resumes('implementing', 'Resume work', agent('implement')),
  {
    id: 'retry_work',
    from: 'failed',
    to: 'implementing',
    label: 'Try again',
    trigger: MANUAL,
    guards: [IDLE],
    hooks: [agent('implement')],
  },
];

/** For runs that are trusted: nobody approves the plan or the change. What is done is not merged. */
export const CODING_AUTO: PipelineDefinition = {
  id: 'coding-auto',
  version: 1,
  name: 'Coding without approvals',
  description: 'An agent plans and carries the plan out; it asks only what it can not decide. A person merges.',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: statuses({
    open: ['Open', 'gray', 'backlog'],
    clarifying: ['Clarifying', 'blue', 'active'],
    planning: ['Planning', 'blue', 'active'],
    implementing: ['Implementing', 'blue', 'active'],
    needs_info: NEEDS_INFO,
    done: ['Done', 'green', 'done'],
    failed: ['Failed', 'red', 'blocked'],
    cancelled: ['Cancelled', 'gray', 'done'],
  }),
  transitions: [
    ...STARTS_PLANNING,
    ...planned({ to: 'implementing', hook: agent('implement') }),
    ...WORK,
    ...RESUMES_PLANNING,
    RETRY_PLAN,
    CANCEL,
  ],
};
