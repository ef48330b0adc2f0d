/** Where a coding session is. There are no others. */
export const SESSION_STAGES = [
  'awaiting_clarification',
  'awaiting_plan_approval',
  'executing',
  'awaiting_tool_approval',
  'completed',
  'cancelled',
  'failed',
] as const;

export type SessionStage = (typeof SESSION_STAGES)[number];
