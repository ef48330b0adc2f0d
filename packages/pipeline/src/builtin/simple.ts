import type { PipelineDefinition } from '@attractor/store';

/** For work that people do by hand. */
export const SIMPLE: PipelineDefinition = {
  id: 'simple',
  version: 1,
  name: 'Simple',
  description: 'Open, in progress, done.',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'in_progress', label: 'In progress', color: 'blue', category: 'active', position: 1 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 2 },
    { id: 'cancelled', label: 'Cancelled', color: 'gray', category: 'done', position: 3 },
  ],
  transitions: [
    { id: 'start', from: 'open', to: 'in_progress', label: 'Start', trigger: { type: 'manual' } },
    {
      id: 'complete',
      from: 'in_progress',
      to: 'done',
      label: 'Complete',
      trigger: { type: 'manual' },
      guards: [{ type: 'no_running_agent' }],
    },
    {
      id: 'send_back',
      from: 'in_progress',
      to: 'open',
      label: 'Send back',
      trigger: { type: 'any' },
      guards: [{ type: 'no_running_agent' }],
    },
    {
      id: 'cancel',
      from: '*',
      to: 'cancelled',
      label: 'Cancel',
      trigger: { type: 'manual' },
      hooks: [{ type: 'stop_agent' }],
    },
  ],
};
