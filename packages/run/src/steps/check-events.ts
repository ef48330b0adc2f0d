import { addRunTime, appendEvents, type CheckResult } from '@attractor/store';
import { eventOf, type RunContext } from '../run-context/run-context.ts';

/** `round` separates the checks after a repair from those before; a check reported again after a crash is stored once. */
export async function reportCheck(context: RunContext, check: CheckResult, round: number): Promise<void> {
  const how = check.timedOut === true ? 'took too long' : 'failed';
  const failed = check.known === true ? `${how}, as it did without the work,` : how;
  const verdict = check.passed ? 'passed' : failed;
  await context.transact(async (tx) => {
    await addRunTime(tx, context.state.run.id, { checksMs: check.durationMs });
    await appendEvents(tx, [
      eventOf(context, {
        key: `check:${check.phase}:${round}:${check.name}:${check.commit}`,
        type: 'run.check_finished',
        level: check.passed || check.phase === 'base' ? 'info' : 'warning',
        summary: `Check ${check.name} ${verdict} on the ${check.phase === 'base' ? 'base commit' : 'branch'}`,
        data: { check },
      }),
    ]);
  });
}

/** Changes that a check makes to files of the project are discarded: the commit that it judged stays as it is. */
export async function reportRestored(context: RunContext, files: ReadonlyArray<string>): Promise<void> {
  const summary = `A check changed the worktree, which was put back: ${files.slice(0, 10).join(', ')}${files.length > 10 ? ' …' : ''}`;
  await context.transact((tx) =>
    appendEvents(tx, [
      eventOf(context, {
        type: 'run.worktree_restored',
        level: 'warning',
        summary,
        data: { files: files.slice(0, 100) },
      }),
    ]),
  );
}
