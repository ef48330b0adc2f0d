import type { Script } from '@attractor/adapters';

export const PLAN: Script = {
  when: { outcome: 'plan_complete' },
  steps: [
    { do: 'usage', inputTokens: 100, outputTokens: 20, costUsd: 0.001 },
    { do: 'output', text: '1. Change the minus in sum.sh to a plus.' },
    { do: 'outcome', outcome: 'plan_complete' },
  ],
};

export const IMPLEMENT: Script = {
  when: { outcome: 'pr_ready' },
  steps: [
    { do: 'output', text: 'I change the operator.' },
    { do: 'modifyFile', path: 'sum.sh', find: '-', replace: '+' },
    { do: 'commit', message: 'Make sum add' },
    { do: 'usage', inputTokens: 300, outputTokens: 40, costUsd: 0.002 },
    { do: 'createFile', path: 'notes.md', content: 'sum adds\n' },
    { do: 'output', text: 'Done.' },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
};
