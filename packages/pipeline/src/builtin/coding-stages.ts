import type { PipelineDefinition, PipelineTransition } from '@attractor/store';
import { AFTER_WORK, atMost, BEFORE_WORK, CANCEL, IDLE, MANUAL, statuses } from './building-blocks.ts';
import { approvedPlan, RESUMES_PLANNING, RETRIES_PLANNING, STARTS_PLANNING } from './plan-first.ts';
import { stageAgent, type WorkPart, workPart } from './work-parts.ts';

const CREATE: WorkPart = {
  work: 'creating',
  label: 'create the new files',
  hook: stageAgent({ stage: 'create' }),
  review: 'create_review',
  title: 'Review the new files',
};
const MODIFY: WorkPart = {
  work: 'modifying',
  label: 'change the other files',
  hook: stageAgent({ stage: 'modify' }),
  review: 'modify_review',
  title: 'Review the changed files',
};
const COMMIT: WorkPart = {
  work: 'committing',
  label: 'put the commits in order',
  hook: stageAgent({ stage: 'git' }),
  review: 'pr_review',
  title: 'Approve the commits',
};

/** Where files are changed none can be added: whoever finds one missing goes back. */
const MORE_NEW_FILES: PipelineTransition = {
  id: 'more_new_files',
  from: MODIFY.review,
  to: CREATE.work,
  label: 'Back to the new files',
  trigger: MANUAL,
  guards: [IDLE, atMost(CREATE.work)],
  hooks: [CREATE.hook],
};

/** For changes that are looked at in parts: plan, new files, changed files, commits. */
export const CODING_STAGES: PipelineDefinition = {
  id: 'coding-stages',
  version: 3,
  name: 'Coding in stages',
  description:
    'After an approved plan an agent creates files, then changes others, then orders the commits; a person looks at each.',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: statuses({
    ...BEFORE_WORK,
    plan_review: ['Plan review', 'amber', 'waiting'],
    creating: ['Creating files', 'blue', 'active'],
    create_review: ['Review of new files', 'purple', 'review'],
    modifying: ['Changing files', 'blue', 'active'],
    modify_review: ['Review of changes', 'purple', 'review'],
    committing: ['Ordering commits', 'blue', 'active'],
    pr_review: ['Review', 'purple', 'review'],
    ...AFTER_WORK,
  }),
  transitions: [
    ...STARTS_PLANNING,
    ...approvedPlan({ to: CREATE.work, hook: CREATE.hook }),
    ...workPart(CREATE, MODIFY),
    ...workPart(MODIFY, COMMIT),
    ...workPart(COMMIT, null),
    MORE_NEW_FILES,
    ...RESUMES_PLANNING,
    ...RETRIES_PLANNING,
    CANCEL,
  ],
};
