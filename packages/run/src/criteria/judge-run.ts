import { readClaims } from '@attractor/pipeline';
import { type CheckResult, type Evidence, findTask, listArtifacts, listCriteria, listRuns } from '@attractor/store';
import { confined, variablesIn } from '../run-context/confinement.ts';
import type { RunContext, StepOutcome, StepResults } from '../run-context/run-context.ts';
import { resultOf } from '../run-context/run-context.ts';
import { claimsNow, judgeClaims } from './judge-claims.ts';
import { recordClaims } from './record-claims.ts';
import { type EvidencePlace, notYetRun, rerunEvidence } from './rerun-evidence.ts';

type Validated = StepResults['validate'];

/**
 * What a run claims of the acceptance criteria, and what was claimed before it, held against its last commit. It never fails a run: what
 * can't be judged is claimed, and what is wrong is shown to people.
 */
export async function judgeCriteria(
  context: RunContext,
  { judged, outputFolder }: { readonly judged: StepOutcome<Validated>; readonly outputFolder: string },
): Promise<StepOutcome<Validated>> {
  const { mode } = context.state.run;
  if (judged.result === undefined || (mode !== 'implement' && mode !== 'review')) return judged;
  const { read } = context.services.store;
  const task = await findTask(read, context.task.id);
  const criteria = task === null ? [] : await listCriteria(read, task);
  const said = readClaims(
    judged.result.payload,
    criteria.map(({ number }) => number),
  );
  const claims = claimsNow(criteria, 'claims' in said ? said.claims : []);
  if (task === null || claims.length === 0) return judged;
  const commit = judged.result.head;
  const folder = resultOf(context, 'prepare').worktree.path;
  const known = checksOn(judged.run?.checks ?? [], commit);
  const evidence = claims.flatMap((claim) => claim.evidence);
  const ran = await rerunIn(context, evidence, { folder, outputFolder, known });
  const found = await judgeClaims(claims, {
    folder,
    commit,
    checks: [...known, ...ran.checks],
    refusals: ran.refusals,
    runs: await listRuns(read, { taskId: task.id }),
    artifacts: await listArtifacts(read, task.id),
    runId: context.state.run.id,
    at: new Date().toISOString(),
  });
  return {
    ...judged,
    commit: async (tx, run) => {
      await judged.commit?.(tx, run);
      const actor = { type: 'system', runId: run.id } as const;
      await recordClaims(tx, { taskId: task.id, runId: run.id, commit, claims: found, actor });
    },
  };
}

type Where = Pick<EvidencePlace, 'folder' | 'outputFolder' | 'known'>;

/** A sandbox is made only if there is something to run. */
async function rerunIn(context: RunContext, evidence: ReadonlyArray<Evidence>, where: Where) {
  const { env, secrets } = context.services;
  const { folder } = where;
  if (notYetRun(evidence, where.known).length === 0) return { checks: [], refusals: new Map<string, string>() };
  return confined(context, folder, (allowed) =>
    rerunEvidence(evidence, {
      ...where,
      allowed,
      env: variablesIn(env, { folder, allowed }),
      secrets,
      signal: AbortSignal.any([context.letGo, context.cancel]),
    }),
  );
}

function checksOn(checks: ReadonlyArray<CheckResult>, commit: string): ReadonlyArray<CheckResult> {
  return checks.filter((check) => check.phase === 'branch' && check.commit === commit);
}
