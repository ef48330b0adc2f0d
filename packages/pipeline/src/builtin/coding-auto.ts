import type { PipelineDefinition, PipelineTransition } from '@attractor/store';
import { AFTER_WORK, agent, asks, BEFORE_WORK, CANCEL, FAILS, outcome, resumes, statuses } from './building-blocks.ts';
import { IMPLEMENT, planned, RESUMES_PLANNING, RETRIES_PLANNING, RETRY_WORK, STARTS_PLANNING } from './plan-first.ts';

const WORK: ReadonlyArray<PipelineTransition> = [
  IMPLEMENT,
  { id: 'ready', from: 'implementing', to: 'done', label: 'Done', trigger: outcome('pr_ready') },
  asks('work_asks', 'implementing'),
  { id: 'work_failed', from: 'implementing', to: 'failed', label: 'Failed', trigger: FAILS },
  resumes('implementing', 'Resume work', agent('implement')),
  RETRY_WORK,
];

/** For runs that are trusted: nobody approves the plan or the change. What is done is not merged. */
export const CODING_AUTO: PipelineDefinition = {
  id: 'coding-auto',
  version: 3,
  name: 'Coding without approvals',
  description: 'An agent plans and carries the plan out; it asks only what it can not decide. A person merges.',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: statuses({
    ...BEFORE_WORK,
    implementing: ['Implementing', 'blue', 'active'],
    ...AFTER_WORK,
  }),
  transitions: [
    ...STARTS_PLANNING,
    ...planned({ to: 'implementing', hook: agent('implement') }),
    ...WORK,
    ...RESUMES_PLANNING,
    ...RETRIES_PLANNING,
    CANCEL,
  ],
};
