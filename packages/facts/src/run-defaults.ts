/** What holds for a run of any agent until somebody says otherwise. The time limit is that of the whole run, in milliseconds. */
export const RUN_DEFAULTS = { maxTurns: 50, timeout: 600_000, autoCommit: true, branchPrefix: 'agent/' } as const;
