import type { PipelineDefinition } from '@attractor/store';
import { agent, atMost, CANCEL, FAILS, IDLE, MANUAL, MAY_START, outcome, statuses } from './building-blocks.ts';

/** Small maintenance: done by an agent, reviewed by a person. */
export const CHORE: PipelineDefinition = {
  id: 'chore',
  version: 1,
  name: 'Chore',
  description: 'An agent does it, a person looks at it.',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: statuses({
    open: ['Open', 'gray', 'backlog'],
    in_progress: ['In progress', 'blue', 'active'],
    pr_review: ['Review', 'purple', 'review'],
    done: ['Done', 'green', 'done'],
    cancelled: ['Cancelled', 'gray', 'done'],
  }),
  transitions: [
    {
      id: 'start',
      from: 'open',
      to: 'in_progress',
      label: 'Start',
      trigger: MANUAL,
      guards: MAY_START,
      hooks: [agent('implement')],
    },
    { id: 'ready', from: 'in_progress', to: 'pr_review', label: 'Ready for review', trigger: outcome('pr_ready') },
    { id: 'give_up', from: 'in_progress', to: 'open', label: 'Failed', trigger: FAILS },
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
      to: 'in_progress',
      label: 'Ask for changes',
      trigger: MANUAL,
      guards: [IDLE, atMost('in_progress')],
      hooks: [agent('implement')],
    },
    CANCEL,
  ],
};
