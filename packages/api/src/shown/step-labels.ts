import type { StepState } from '../views/steps.ts';

export const STEP_LABELS: Readonly<Record<StepState['step'], string>> = {
  prepare: 'Prepare worktree',
  context: 'Gather context',
  configure: 'Configure agent',
  execute: 'Run agent',
  monitor: 'Account for usage',
  parse: 'Read outcome',
  validate: 'Check the work',
  artifacts: 'Collect artifacts',
  trigger: 'Move the task',
  cleanup: 'Clean up',
};
