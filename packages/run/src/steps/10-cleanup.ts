import { dropCarried, findRemote, personRemoteOptions } from '@attractor/repository';
import { appendEvents, dropRunFiles, finishJob, isToBePushed } from '@attractor/store';
import { eventOf, type RunContext, type StepOutcome, type StepResults } from '../run-context/run-context.ts';

/**
 * The job is done. The worktree stays for review, rework and inspection, and is not touched here: the task's next agent may already be in
 * it. The agent's own state stays too, as the record of its conversation.
 */
export async function cleanUp(context: RunContext): Promise<StepOutcome<StepResults['cleanup']>> {
  const { run } = context.state;
  const good = run.status === 'completed';
  await dropCarriedWork(context);
  return {
    result: {},
    commit: async (tx) => {
      await appendEvents(tx, [
        eventOf(context, {
          type: 'notification.raised',
          level: good ? 'info' : 'warning',
          summary: good
            ? `Agent completed: ${context.task.title} (${run.outcome ?? ''})`
            : `Agent ${run.status}: ${context.task.title}${run.error === null ? '' : ` (${run.error})`}`,
          data: { status: run.status, outcome: run.outcome },
        }),
      ]);
      await dropRunFiles(tx, [run.id]);
      await finishJob(tx, context.claim);
    },
  };
}

/**
 * The work is on its branch and on the remote, so nobody needs the carried copy; without a remote there is none. One that is still to be
 * pushed is all that there is beyond this machine: then the push drops it. Best effort: the supervisor does the rest.
 */
async function dropCarriedWork({ services, state, task, carry }: RunContext): Promise<void> {
  const { prepare } = state.results;
  if (services.store.dialect !== 'postgres' || prepare === undefined) return;
  // One under way would be there after all was dropped.
  await carry.stop();
  if (await isToBePushed(services.store.read, { taskId: task.id, runId: state.run.id })) return;
  const { repository } = prepare;
  if ((await findRemote(repository)) === null) return;
  const talk = await personRemoteOptions(services.hostEnv, repository.root);
  await dropCarried({ repository, runId: state.run.id, talk: { ...talk, timeoutMs: DROP_TIMEOUT_MS } });
}

const DROP_TIMEOUT_MS = 15_000;
