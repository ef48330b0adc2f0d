import { done } from '@attractor/base';
import {
  type Actor,
  appendEvents,
  dropProviderLimit,
  findProviderLimit,
  findRun,
  listProviderLimits,
  type ProviderLimit,
  refuse,
  refuseOnDatabaseError,
  type Result,
  type Store,
} from '@attractor/store';
import type { SupervisorContext } from '../../supervisor/check.ts';
import { measureDisk } from '../../supervisor/disk-usage.ts';
import { readHealth } from '../../supervisor/health.ts';
import type { Supervisor } from '../../supervisor/supervisor.ts';
import type { SuperviseCommands } from './contract.ts';

export function createSuperviseCommands(options: {
  readonly watch: SupervisorContext;
  readonly supervisor: Supervisor;
  /** Whether this process also supervises by itself. */
  readonly supervised: boolean;
}): SuperviseCommands {
  const { watch, supervisor, supervised } = options;
  const { store } = watch;
  return {
    superviseOnce: () => refuseOnDatabaseError(async () => done(await supervisor.runOnce())),
    diskUsage: () => refuseOnDatabaseError(async () => done(await measureDisk(watch))),
    health: () => readHealth({ store, disk: () => measureDisk(watch), supervised }),
    providerLimits: () => listProviderLimits(store.read, new Date().toISOString()),
    liftLimit: (account, actor) => refuseOnDatabaseError(() => liftLimit(store, account, actor)),
  };
}

function liftLimit(store: Store, account: string, actor: Actor): Promise<Result<ProviderLimit>> {
  return store.transact(async (tx): Promise<Result<ProviderLimit>> => {
    const limit = await findProviderLimit(tx, account);
    if (limit === null) return refuse('not_found', `No limit is known for "${account}".`);
    await dropProviderLimit(tx, account);
    // Jobs that waited for that time need not wait any longer.
    await tx
      .updateTable('jobs')
      .set({ not_before: null })
      .where('state', '=', 'queued')
      .where('not_before', '=', limit.until)
      .where((job) =>
        job.or([
          job('account', '=', account),
          // Without an account of its own a run counts against that of its agent.
          job.and([
            job('account', '=', ''),
            job('run_id', 'in', job.selectFrom('runs').select('id').where('agent_type', '=', account)),
          ]),
        ]),
      )
      .execute();
    const run = await findRun(tx, limit.runId);
    if (run !== null)
      await appendEvents(tx, [
        {
          projectId: run.projectId,
          taskId: run.taskId,
          runId: run.id,
          type: 'agent.limit_lifted',
          summary: `${account} may be used again`,
          data: { account },
          actor,
        },
      ]);
    return done(limit);
  });
}
