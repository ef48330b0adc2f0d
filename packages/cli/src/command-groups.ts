/** The sections of the help, in order. */
export const GROUPS = {
  begin: 'Begin',
  work: 'Tasks and what belongs to them',
  people: 'What happens, and what needs you',
  spend: 'Costs',
  place: 'Where and when work happens',
  agent: 'The agent alone',
  parts: 'Single parts, for scripts and for trying out',
} as const;
