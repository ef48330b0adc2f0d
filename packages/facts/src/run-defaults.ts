/** The defaults for a run of any agent. The time limit is for the whole run, in milliseconds. */
export const RUN_DEFAULTS = { maxTurns: 50, timeout: 600_000, autoCommit: true, branchPrefix: 'agent/' } as const;
