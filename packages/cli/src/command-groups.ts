/** The sections of the help, in order. */
export const GROUPS = {
  begin: 'Begin',
  work: 'Tasks and what belongs to them',
  people: 'What happens, and what is asked of you',
  spend: 'Costs',
  place: 'Where and when work is done',
  agent: 'The agent by itself',
  parts: 'Parts of it, for scripts and for trying',
} as const;
