import { showControls } from './plain-text.ts';

/** What an agent reported, as people say it. A pipeline may have outcomes of its own: those are told by their names. */
export function outcomeWords(outcome: string): string {
  return WORDS[outcome] ?? showControls(outcome.replaceAll('_', ' '));
}

const WORDS: Readonly<Record<string, string>> = {
  plan_complete: 'the plan is ready',
  clarified: 'nothing is open',
  pr_ready: 'ready for review',
  no_change: 'nothing to change',
  approved: 'approved',
  changes_requested: 'changes are needed',
  design_ready: 'the design is ready',
  reproduced: 'the bug was reproduced',
  cannot_reproduce: 'the bug could not be reproduced',
  needs_info: 'answers are needed',
  options_proposed: 'options to choose from',
  propose_split: 'the task should be split',
};
