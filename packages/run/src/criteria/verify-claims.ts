import {
  type Actor,
  type CheckResult,
  type Evidence,
  findTask,
  listArtifacts,
  listCriteria,
  listRuns,
  type Store,
} from '@attractor/store';
import { claimsNow, judgeClaims } from './judge-claims.ts';
import { recordClaims } from './record-claims.ts';
import type { EvidenceResults } from './rerun-evidence.ts';

type Place = {
  readonly taskId: string;
  /** In which repository the commit is. */
  readonly folder: string;
  readonly commit: string;
  /** Checks that ran just now, besides those of the task's runs. */
  readonly checks: ReadonlyArray<CheckResult>;
  /** Runs what is named as evidence and has no result yet. Absent: nothing runs. */
  readonly rerun?: (evidence: ReadonlyArray<Evidence>, known: ReadonlyArray<CheckResult>) => Promise<EvidenceResults>;
};

/** Holds everything that was claimed before against a commit. */
export async function verifyClaims(
  store: Store,
  { taskId, folder, commit, checks, rerun }: Place,
  actor: Actor,
): Promise<void> {
  const { read } = store;
  const task = await findTask(read, taskId);
  const claims = task === null ? [] : claimsNow(await listCriteria(read, task), []);
  if (claims.length === 0) return;
  const runs = await listRuns(read, { taskId });
  const earlier = runs.flatMap((run) => run.checks.filter(({ phase }) => phase === 'branch'));
  const known = [...earlier.filter((check) => check.commit === commit), ...checks];
  const evidence = claims.flatMap((claim) => claim.evidence);
  const ran = await rerun?.(evidence, known);
  const found = await judgeClaims(claims, {
    folder,
    commit,
    checks: [...known, ...(ran?.checks ?? [])],
    refusals: ran?.refusals ?? new Map<string, string>(),
    runs,
    artifacts: await listArtifacts(read, taskId),
    runId: null,
    at: new Date(await store.now()).toISOString(),
  });
  await store.transact((tx) => recordClaims(tx, { taskId, runId: null, commit, claims: found, actor }));
}
