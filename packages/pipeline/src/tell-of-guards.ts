import { appendEvents, type Task, type TransitionOption, type Tx } from '@attractor/store';

/** What each guard said: those of a transition that was taken let it pass, those that hold one back say why. */
export async function tellOfGuards(
  tx: Tx,
  options: ReadonlyArray<TransitionOption>,
  { task, runId }: { readonly task: Task; readonly runId: string | null },
): Promise<void> {
  type Told = { readonly guard: string; readonly type: 'guard.passed' | 'guard.failed'; readonly summary: string };
  const told = options.flatMap(({ transition: { guards = [], label }, allowed, blockedBy }): ReadonlyArray<Told> =>
    allowed
      ? guards.map(({ type }) => ({ guard: type, type: 'guard.passed', summary: `"${label}" may pass` }))
      : blockedBy.map(({ guard, reason }) => ({
          guard,
          type: 'guard.failed',
          summary: `"${label}": ${reason}`,
        })),
  );
  await appendEvents(
    tx,
    told.map(({ guard, type, summary }) => ({
      projectId: task.projectId,
      taskId: task.id,
      runId,
      actor: { type: 'system', name: `guard:${guard}` },
      type,
      summary: `Guard ${guard}: ${summary}`,
    })),
  );
}
