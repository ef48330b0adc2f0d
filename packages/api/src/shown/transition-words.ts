import type { PipelineDefinition } from '@attractor/platform';
import { outcomeWords } from './outcome-words.ts';
import { showControls } from './plain-text.ts';

const WHEN = {
  manual: 'a person decides',
  agent_outcome: 'an agent reports',
  agent_error: 'an agent fails',
  subtasks_settled: 'all subtasks are settled',
  any: 'anything',
} as const;

/** When a transition is taken. */
export function triggerWords({ trigger }: PipelineDefinition['transitions'][number]): string {
  return 'outcome' in trigger ? `the agent reports: ${outcomeWords(trigger.outcome)}` : WHEN[trigger.type];
}

/** The names of its guards or its actions. */
export function namesInWords(named: ReadonlyArray<{ readonly type: string }> = []): string {
  return named.map(({ type }) => showControls(type.replaceAll('_', ' '))).join(', ');
}
