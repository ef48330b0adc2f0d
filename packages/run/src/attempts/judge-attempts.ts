import {
  addArtifact,
  type AgentRun,
  appendEvents,
  type AttemptGroupRow,
  type AttemptRow,
  endJobOf,
  findGroup,
  findRun,
  listGroupAttempts,
  saveJudgement,
  savePlaces,
  transactionTime,
  type Tx,
  updateRun,
} from '@attractor/store';
import { type KeptScore, readScore } from './kept-score.ts';
import { rankAttempts } from './rank-attempts.ts';

/** A finished attempt that waits for the judgement. */
type Done = KeptScore & { readonly number: number; readonly run: AgentRun };

/**
 * Judges once all attempts are done, in the caller's transaction: assigns places, closes every run but the winner's, and records with the
 * task where their work is. The winner's run continues. Returns the group as it is then; a judged group stays judged.
 */
export async function judgeAttempts(tx: Tx, groupId: string): Promise<AttemptGroupRow | null> {
  const group = await findGroup(tx, groupId);
  if (group === null || group.judged_at !== null) return group;
  const contenders = await readContenders(tx, await listGroupAttempts(tx, groupId));
  if (contenders === 'unfinished') return group;
  const ranked = rankAttempts(contenders);
  const [winner, ...others] = ranked;
  if (winner === undefined) return group;
  const at = transactionTime(tx);
  await savePlaces(
    tx,
    groupId,
    ranked.map(({ run }) => run.id),
  );
  await saveJudgement(tx, { id: groupId, winnerRunId: winner.run.id, at });
  await appendEvents(tx, [
    {
      projectId: group.project_id,
      taskId: group.task_id,
      type: 'attempts.judged',
      summary: `Attempt ${winner.number} of ${ranked.length} is the best${winner.succeeded ? '' : ', though none succeeded'}`,
      data: { groupId, winnerRunId: winner.run.id, places: ranked.map(({ run }) => run.id) },
      actor: { type: 'system' },
    },
  ]);
  for (const other of others) await closeLoser(tx, other, { groupId, at });
  return findGroup(tx, groupId);
}

/** An attempt that was stopped or given up has ended and takes no part; a running one without a score is waited for. */
async function readContenders(tx: Tx, rows: ReadonlyArray<AttemptRow>): Promise<ReadonlyArray<Done> | 'unfinished'> {
  const contenders: Done[] = [];
  for (const row of rows) {
    const run = await findRun(tx, row.run_id);
    if (run === null || run.status !== 'running') continue;
    const score = readScore(row);
    if (score === null) return 'unfinished';
    contenders.push({ ...score, number: row.number, run });
  }
  return contenders;
}

async function closeLoser(
  tx: Tx,
  { run, number, outcome, error, status }: Done,
  { groupId, at }: { readonly groupId: string; readonly at: string },
): Promise<void> {
  const closed: AgentRun = {
    ...run,
    status,
    outcome,
    error,
    finishedAt: at,
    durationMs: Math.max(0, Date.parse(at) - Date.parse(run.startedAt)),
  };
  await updateRun(tx, closed);
  await endJobOf(tx, run.id);
  const place = { projectId: run.projectId, taskId: run.taskId, runId: run.id } as const;
  const actor = { type: 'system', runId: run.id } as const;
  const failed = status !== 'completed';
  await appendEvents(tx, [
    {
      ...place,
      type: failed ? 'agent.failed' : 'agent.completed',
      summary: `Attempt ${number} ended: another one was better${error === null ? '' : ` (${error})`}`,
      data: { run: closed, attempt: { groupId, number } },
      actor,
    },
  ]);
  if (run.branch === null) return;
  const artifact = await addArtifact(tx, {
    taskId: run.taskId,
    runId: run.id,
    key: `attempt:${groupId}:${number}`,
    type: 'link',
    label: `Attempt ${number}: ${run.branch}`,
    url: null,
    createdBy: 'system',
    metadata: { description: 'The work of an attempt that was not chosen', branchName: run.branch, attempt: number },
  });
  if (artifact !== null)
    await appendEvents(tx, [
      { ...place, type: 'artifact.added', summary: `Kept: ${artifact.label}`, data: { artifact }, actor },
    ]);
}
