import { readHomeConfig } from '../config/project-config.ts';

/** The supervisor's numbers. All in milliseconds but `maxDiskGb`; null: no bound. */
export type SupervisorSettings = {
  readonly everyMs: number;
  /** A run whose agent worked so much longer than its time limit is ended from here. */
  readonly overdueMs: number;
  readonly idleMs: number;
  readonly reminderMs: number;
  /** How long the worktree of a task that has ended is kept. */
  readonly keepWorktreesMs: number;
  /** How long the folder of a run that nobody knows is kept. */
  readonly keepFoldersMs: number;
  /** How long a notification that was sent or given up is kept. */
  readonly keepDeliveriesMs: number;
  readonly measureEveryMs: number;
  readonly maxDiskGb: number | null;
};

const SUPERVISOR_DEFAULTS: SupervisorSettings = {
  everyMs: 60_000,
  overdueMs: 60_000,
  idleMs: 10 * 60_000,
  reminderMs: 24 * 3_600_000,
  keepWorktreesMs: 10 * 60_000,
  keepFoldersMs: 7 * 24 * 3_600_000,
  keepDeliveriesMs: 30 * 24 * 3_600_000,
  measureEveryMs: 10 * 60_000,
  maxDiskGb: null,
};

export function supervisorSettings(chosen: Partial<SupervisorSettings>): SupervisorSettings {
  return { ...SUPERVISOR_DEFAULTS, ...chosen };
}

/** What the person's own configuration says: `supervisor` with any of the numbers above, and `maxDiskGb`. */
export async function readSupervisorChoices(home: string): Promise<Partial<SupervisorSettings>> {
  const config = await readHomeConfig(home);
  if (!config.ok) return {};
  const { supervisor, maxDiskGb } = config.value.whole;
  const given = typeof supervisor === 'object' && supervisor !== null ? Object.entries(supervisor) : [];
  const known = [...given, ['maxDiskGb', maxDiskGb] as const].filter(
    ([name, value]) => Object.hasOwn(SUPERVISOR_DEFAULTS, name) && typeof value === 'number' && value >= 0,
  );
  return Object.fromEntries(known);
}
