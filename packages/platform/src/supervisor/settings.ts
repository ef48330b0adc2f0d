import { readHomeConfig } from '@attractor/project-config';

/** The supervisor's settings. All in milliseconds except `maxDiskGb`; null: no bound. */
export type SupervisorSettings = {
  readonly everyMs: number;
  /** A run whose agent exceeded its time limit by this much is ended by the supervisor. */
  readonly overdueMs: number;
  readonly idleMs: number;
  readonly reminderMs: number;
  /** How long the worktree of an ended task is kept. */
  readonly keepWorktreesMs: number;
  /** How long the folder of an unknown run is kept. */
  readonly keepFoldersMs: number;
  /** How long a notification that was sent or given up is kept. */
  readonly keepDeliveriesMs: number;
  readonly measureEveryMs: number;
  readonly maxDiskGb: number | null;
  /** After which a question that nobody answered counts as refused; null: questions wait for ever. */
  readonly promptExpiryMs: number | null;
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
  promptExpiryMs: null,
};

export function supervisorSettings(chosen: Partial<SupervisorSettings>): SupervisorSettings {
  return { ...SUPERVISOR_DEFAULTS, ...chosen };
}

/** The `supervisor` section of the person's own configuration: any of the settings above, and `maxDiskGb`. */
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
