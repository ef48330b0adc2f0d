import type { PipelineDefinition } from '@attractor/store';
import { AFTER_WORK, BEFORE_WORK, CANCEL, statuses } from './building-blocks.ts';
import { approvedPlan, RESUMES_PLANNING, RETRIES_PLANNING, STARTS_PLANNING } from './plan-first.ts';
import { stageAgent, type WorkPart, workPart } from './work-parts.ts';

const TESTS: WorkPart = {
  work: 'writing_tests',
  label: 'write the tests',
  hook: stageAgent({ stage: 'tests', expect: 'red' }),
  review: 'tests_review',
  title: 'Review the tests, which fail',
};
const WORK: WorkPart = {
  work: 'implementing',
  label: 'make the tests pass',
  hook: stageAgent({ expect: 'green' }),
  review: 'pr_review',
  title: 'Approve the commit: the tests pass',
};

/** Tests first: they have to fail before the work, and to pass after it. */
export const CODING_TDD: PipelineDefinition = {
  id: 'coding-tdd',
  version: 2,
  name: 'Coding, tests first',
  description:
    'After an approved plan an agent writes tests that fail, a person looks at them, an agent makes them pass.',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: statuses({
    ...BEFORE_WORK,
    plan_review: ['Plan review', 'amber', 'waiting'],
    writing_tests: ['Writing tests', 'blue', 'active'],
    tests_review: ['Review of tests', 'purple', 'review'],
    implementing: ['Implementing', 'blue', 'active'],
    pr_review: ['Review', 'purple', 'review'],
    ...AFTER_WORK,
  }),
  transitions: [
    ...STARTS_PLANNING,
    ...approvedPlan({ to: TESTS.work, hook: TESTS.hook }),
    ...workPart(TESTS, WORK),
    ...workPart(WORK, null),
    ...RESUMES_PLANNING,
    ...RETRIES_PLANNING,
    CANCEL,
  ],
};
