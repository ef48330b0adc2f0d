import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '@attractor/base';
import {
  addArtifact,
  type AgentRun,
  findRun,
  findRunRequest,
  findWorkplace,
  listRuns,
  listSteps,
  parseJson,
  type Reader,
  type Tx,
} from '@attractor/store';
import { ownIdentity } from '@attractor/system';
import { failForNow } from '../git/outside-result.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import type { Repository } from '../git/repository.ts';
import { adminFolder } from '../git/worktree-admin.ts';
import { commitAll } from '../worktrees/commit-all.ts';
import { hasWork, readWork } from '../scm/work-of-run.ts';
import { unlockWorktree, type Worktree } from '../worktrees/worktree.ts';
import { type EffectContext, failed, nothingToDo, type Performed, tell } from './performed.ts';

/**
 * Commits what a run left in its worktree that ended while nobody worked on it, and records it as the task's. Not once another run has the
 * worktree: whoever prepared it for that one has kept what was there.
 */
export async function performKeep(context: EffectContext): Promise<Performed> {
  const { services, effect } = context;
  const { read } = services.store;
  const run = effect.runId === null ? null : await findRun(read, effect.runId);
  const left = run === null ? null : await leftBy(read, run.id);
  if (run === null || left === null) return nothingToDo();
  const { machine } = parseJson<{ readonly machine?: string }>(await findWorkplace(read, run.id), {});
  if (machine !== undefined && machine !== (ownIdentity().machine ?? ''))
    return { outcome: 'elsewhere', reason: `${left.worktree.path} is on another machine.` };
  if (!existsSync(left.worktree.path)) return nothingToDo();
  return withRepoLock(left.repository.gitFolder, () => keep(context, run, left));
}

type Left = {
  readonly repository: Repository;
  readonly worktree: Worktree;
  readonly overlooked?: ReadonlyArray<string>;
  readonly autoCommit: boolean;
};

/** Null if the run did not come so far that an agent could leave anything. */
async function leftBy(db: Reader, runId: string): Promise<Left | null> {
  const steps = (await listSteps(db, runId)).filter(({ ok }) => ok);
  const prepared: unknown = steps.find(({ step }) => step === 'prepare')?.result;
  const configured: unknown = steps.find(({ step }) => step === 'configure')?.result;
  if (!isPrepared(prepared) || !isRecord(configured)) return null;
  const { config } = configured;
  const { repository, worktree, overlooked = [] } = prepared;
  return { repository, worktree, overlooked, autoCommit: !isRecord(config) || config['autoCommit'] !== false };
}

function isPrepared(result: unknown): result is Omit<Left, 'autoCommit'> {
  return isRecord(result) && isRecord(result['worktree']) && isRecord(result['repository']);
}

async function keep(context: EffectContext, run: AgentRun, left: Left): Promise<Performed> {
  const { services, task, cleaning } = context;
  const { repository, worktree, overlooked, autoCommit } = left;
  const holder = await lockedFor(repository, worktree.path);
  const runs = await listRuns(services.store.read, { taskId: task.id });
  const isReused = runs.some(({ id, worktree: folder }) => id > run.id && folder === worktree.path);
  if (isReused || (holder !== null && holder !== run.id)) return nothingToDo();
  await cleaning.putBack({ id: run.id, folder: worktree.path });
  const head = await commitAll(worktree.path, {
    message: `Work in progress: ${task.title}`,
    runId: run.id,
    author: services.author,
    isWanted: autoCommit,
    began: worktree.head,
    branch: worktree.branch,
    overlooked,
  });
  if (!head.ok) return failed(failForNow(`${worktree.path} stays as it is. ${head.error.message}`));
  if (holder !== null) await unlockWorktree(repository, worktree.path);
  if (!(await hasWork(worktree, head.value))) return nothingLeft(context);
  const { phaseId } = (await findRunRequest(services.store.read, run.id)).hookParams;
  const { artifacts } = await readWork(
    { run, worktree, phaseId: typeof phaseId === 'string' ? phaseId : null, redact: cleaning.redact },
    head.value,
  );
  return {
    outcome: 'done',
    result: { commit: head.value },
    record: async (tx) => {
      for (const artifact of artifacts) {
        const added = await addArtifact(tx, artifact);
        if (added === null) continue;
        const type = added.type === 'branch' ? 'branch.created' : 'artifact.added';
        await tell(tx, context, { type, summary: `${added.type}: ${added.label}`, data: { artifact: added } });
      }
    },
  };
}

/** Told, because the state of the task said that something might have to be kept. */
function nothingLeft(context: EffectContext): Performed {
  const summary = 'The run left no change that had to be kept';
  const record = (tx: Tx) => tell(tx, context, { type: 'worktree.notice', summary });
  return { outcome: 'done', result: {}, record };
}

/** Whoever prepares a worktree locks it for its run. Null if it is not locked, or by a person. */
async function lockedFor(repository: Repository, path: string): Promise<string | null> {
  const admin = adminFolder(repository, path);
  const lock = admin === null ? '' : await readFile(join(admin, 'locked'), 'utf8').catch(() => '');
  return /^attractor (run_[0-9a-z]+) for task /.exec(lock)?.[1] ?? null;
}
