/** What may run without asking. The types of these words are in the packages that act on them. */
export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;

/** How hard a model thinks. One that lacks a level takes the next lower one. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** What a run is for. */
export const RUN_MODES = ['clarify', 'plan', 'implement', 'review', 'investigate', 'design'] as const;

export type AgentRunMode = (typeof RUN_MODES)[number];
