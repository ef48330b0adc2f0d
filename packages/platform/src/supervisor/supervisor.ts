import { messageOf } from '@attractor/base';
import { ownIdentity } from '@attractor/system';
import type { Finding, SupervisorReport } from './findings.ts';
import type { Check, SupervisorContext } from './check.ts';
import { deadOwners } from './dead-owners.ts';
import { endedRefs } from './ended-refs.ts';
import { finishedWorktrees } from './finished-worktrees.ts';
import { idleTasks } from './idle-tasks.ts';
import { keptFolders } from './kept-folders.ts';
import { takeTurn, type Turn } from './lease.ts';
import { oldDeliveries } from './old-deliveries.ts';
import { oldTranscripts } from './old-transcripts.ts';
import { orphanFolders } from './orphan-folders.ts';
import { orphanRuns } from './orphan-runs.ts';
import { overdueRuns } from './overdue-runs.ts';
import { staleWorktreeLocks } from './stale-worktree-locks.ts';
import { waitingReminders } from './waiting-reminders.ts';

/**
 * Takes care of what nobody else would: runs whose worker died, time limits that were not enforced, questions that wait, leftover folders.
 * Only one process does it at a time. `runOnce` is one round; `start` runs one every minute until `stop`, which waits for a round under
 * way.
 */
export type Supervisor = {
  readonly runOnce: () => Promise<SupervisorReport>;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

export type SupervisorOptions = SupervisorContext & {
  /** Further checks of this machine, such as its disk. */
  readonly more?: Readonly<Record<string, Check>>;
  readonly onUnexpected?: (error: unknown) => void;
};

/** What all machines share; the holder of the turn does it for all. */
const RECORDS: Readonly<Record<string, Check>> = {
  'dead-owners': deadOwners,
  'overdue-runs': overdueRuns,
  'orphan-runs': orphanRuns,
  'idle-tasks': idleTasks,
  'waiting-reminders': waitingReminders,
  'old-deliveries': oldDeliveries,
  'old-transcripts': oldTranscripts,
};

/** What only this machine can see. Dead processes are visible only on their own machine. */
const MACHINE: Readonly<Record<string, Check>> = {
  'dead-owners': deadOwners,
  'stale-worktree-locks': staleWorktreeLocks,
  'finished-worktrees': finishedWorktrees,
  'ended-refs': endedRefs,
  'kept-folders': keptFolders,
  'orphan-folders': orphanFolders,
};

/** Soon after the start, so that a process that is restarted often still supervises. */
const FIRST_ROUND_MS = 10_000;

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { settings } = options;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<unknown> = Promise.resolve();
  const runOnce = (): Promise<SupervisorReport> => {
    const round = running.then(() => superviseRound(options));
    running = round.catch(() => undefined);
    return round;
  };
  const tick = async (): Promise<void> => {
    if (isStopped) return;
    await runOnce()
      .then(({ problems }) => {
        for (const problem of problems) options.onUnexpected?.(new Error(problem));
      })
      .catch((error: unknown) => options.onUnexpected?.(error));
  };
  return {
    runOnce,
    start: () => {
      const next = (afterMs: number): void => {
        if (isStopped) return;
        timer = setTimeout(() => void tick().finally(() => next(settings.everyMs)), afterMs);
        timer.unref();
      };
      next(Math.min(FIRST_ROUND_MS, settings.everyMs));
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function superviseRound(options: SupervisorOptions): Promise<SupervisorReport> {
  const { store, home, more = {} } = options;
  const records = await takeTurn(store, 'records');
  const findings: Finding[] = [];
  const problems: string[] = [];
  const skipped: Array<SupervisorReport['skipped'][number]> = [];
  if (records === null) skipped.push('records');
  else await makeChecks(options, { checks: RECORDS, turn: records, findings, problems });
  const machine = await takeTurn(store, `machine:${ownIdentity().machine ?? ''}:${home}`);
  if (machine === null) skipped.push('machine');
  else await makeChecks(options, { checks: { ...MACHINE, ...more }, turn: machine, findings, problems });
  return { at: new Date().toISOString(), findings, skipped, problems };
}

type Round = {
  readonly checks: Readonly<Record<string, Check>>;
  readonly turn: Turn;
  readonly findings: Finding[];
  readonly problems: string[];
};

/** A failing check does not prevent the others. */
async function makeChecks(watch: SupervisorContext, { checks, turn, findings, problems }: Round): Promise<void> {
  try {
    for (const [name, check] of Object.entries(checks)) {
      if (!(await turn.holds())) return;
      try {
        findings.push(...(await check(watch)));
      } catch (error) {
        problems.push(`${name}: ${messageOf(error)}`);
      }
    }
  } finally {
    await turn.release();
  }
}
