import {
  type Actor,
  type CheckResult,
  findTask,
  listArtifacts,
  listCriteria,
  listRuns,
  type Store,
} from '@attractor/store';
import { claimsNow, judgeClaims } from './judge-claims.ts';
import { recordClaims } from './record-claims.ts';

type Place = {
  readonly taskId: string;
  /** In which repository the commit is. */
  readonly folder: string;
  readonly commit: string;
  /** Checks that ran just now, besides those of the task's runs. */
  readonly checks: ReadonlyArray<CheckResult>;
};

/** Holds everything that was claimed before against a commit. It runs nothing. */
export async function verifyClaims(
  store: Store,
  { taskId, folder, commit, checks }: Place,
  actor: Actor,
): Promise<void> {
  const { read } = store;
  const task = await findTask(read, taskId);
  const claims = task === null ? [] : claimsNow(await listCriteria(read, task), []);
  if (claims.length === 0) return;
  const runs = await listRuns(read, { taskId });
  const earlier = runs.flatMap((run) => run.checks.filter(({ phase }) => phase === 'branch'));
  const found = await judgeClaims(claims, {
    folder,
    commit,
    checks: [...earlier, ...checks],
    refusals: new Map(),
    runs,
    artifacts: await listArtifacts(read, taskId),
    runId: null,
    at: new Date(await store.now()).toISOString(),
  });
  await store.transact((tx) => recordClaims(tx, { taskId, runId: null, commit, claims: found, actor }));
}
