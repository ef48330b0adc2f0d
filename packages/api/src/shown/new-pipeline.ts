/** The smallest that is of use: it holds together as it is. */
export const NEW_PIPELINE = {
  id: 'our-own',
  name: 'Our own',
  initialStatus: 'open',
  terminalStatuses: ['done'],
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'working', label: 'Working', color: 'blue', category: 'active', position: 1 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 2 },
  ],
  transitions: [
    {
      id: 'start',
      from: 'open',
      to: 'working',
      label: 'Start',
      trigger: { type: 'manual' },
      hooks: [{ type: 'start_agent', params: { mode: 'implement' } }],
    },
    { id: 'finish', from: 'working', to: 'done', label: 'Finish', trigger: { type: 'manual' } },
  ],
};
