import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '@attractor/base';
import { runGit } from '@attractor/git';
import { branchTip, commitOf, openRepository, type Repository } from '@attractor/repository';
import { findProject, listArtifacts, listSteps } from '@attractor/store';
import type { BundlePart, Change } from './format.ts';
import { byteRedactor, filePieces } from './pieces.ts';
import type { WrittenRun } from './sources.ts';

const DIFF_MS = 10 * 60_000;

/** The commits of the run and its change as a patch that `git apply` takes, with binary files. */
export async function* changeParts(written: WrittenRun): AsyncGenerator<BundlePart> {
  const change = await readChange(written);
  yield { part: 'change', value: change };
  const { baseCommit, startCommit, headCommit } = change;
  if (baseCommit === null) return;
  const repository = await repositoryOf(written);
  if (repository === null || headCommit === null) {
    yield* keptDiff(written, headCommit === null ? 'there is no work yet' : 'its repository is not there');
    return;
  }
  const range = { repository, secrets: written.secrets };
  if (startCommit !== null && startCommit !== baseCommit)
    yield* patchParts({ ...range, of: 'before', from: baseCommit, to: startCommit });
  yield* patchParts({ ...range, of: 'whole', from: baseCommit, to: headCommit });
}

/** All that is needed to look a change up. */
type KeptRun = Pick<WrittenRun, 'store' | 'run'>;

export async function repositoryOf({ store, run }: KeptRun): Promise<Repository | null> {
  const project = await findProject(store.read, run.projectId);
  if (project === null) return null;
  const opened = await openRepository(project.path, project.config);
  return opened.ok ? opened.value : null;
}

/** Where it began is saved with the first step; where it ended with the last check, or it is the branch as it is now. */
export async function readChange(written: KeptRun): Promise<Change> {
  const { store, run } = written;
  const steps = await listSteps(store.read, run.id);
  const resultOf = (name: string): unknown => steps.find(({ step, ok }) => step === name && ok)?.result;
  const worktree = fieldOf(resultOf('prepare'), 'worktree');
  const text = (name: string): string | null => textOr(fieldOf(worktree, name));
  const checked = run.checks.findLast(({ phase }) => phase === 'branch')?.commit;
  const head = textOr(fieldOf(resultOf('validate'), 'head')) ?? checked ?? null;
  return {
    branch: text('branch') ?? run.branch,
    baseBranch: text('baseBranch'),
    baseCommit: text('baseCommit'),
    startCommit: text('head'),
    headCommit: head ?? (await tipOf(written, text('branch'))),
  };
}

async function tipOf(written: KeptRun, branch: string | null): Promise<string | null> {
  const repository = branch === null ? null : await repositoryOf(written);
  return repository === null || branch === null ? null : branchTip(repository, branch);
}

type Range = {
  readonly repository: Repository;
  readonly secrets: ReadonlyArray<string>;
  readonly of: 'whole' | 'before';
  readonly from: string;
  readonly to: string;
};

/** Git writes it to a file, and it is read from there: its size is no matter. */
async function* patchParts({ repository, secrets, of, from, to }: Range): AsyncGenerator<BundlePart> {
  const cwd = repository.root;
  for (const commit of [from, to])
    if ((await commitOf(repository, commit)) === null) {
      yield { part: 'missing', text: `The patch: the repository does not have the commit ${commit} any more.` };
      return;
    }
  const folder = await mkdtemp(join(tmpdir(), 'attractor-bundle-'));
  try {
    const file = join(folder, 'patch');
    const flags = ['-r', '-p', '--binary', '--full-index', '--no-renames', '--unified=3', `--output=${file}`];
    const made = await runGit(['diff-tree', ...flags, '--end-of-options', from, to], { cwd, timeoutMs: DIFF_MS });
    if (made.exitCode !== 0) yield { part: 'missing', text: `The patch: ${made.stderr.trim()}` };
    else
      for await (const { isMasked, ...piece } of filePieces(file, byteRedactor(secrets))) {
        yield { part: 'patch', of, ...piece };
        if (isMasked)
          yield { part: 'missing', text: 'What is secret in the patch: it is masked, so the patch may not apply.' };
      }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the run itself kept of its change, if git can't be asked. */
async function* keptDiff({ store, run }: WrittenRun, why: string): AsyncGenerator<BundlePart> {
  const kept = (await listArtifacts(store.read, run.taskId)).find(({ key }) => key === `diff:${run.id}`);
  if (kept?.content !== null && kept?.content !== undefined) yield { part: 'patch', of: 'whole', text: kept.content };
  yield { part: 'missing', text: `The whole patch: ${why}.` };
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
