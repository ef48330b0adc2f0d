import {
  type Artifact,
  findArtifactByKey,
  listArtifacts,
  type Reader,
  type Tx,
  updateArtifact,
} from '@attractor/store';

/** The commits that are known as work of a task: those of its runs, and what its branch was brought up to date as. */
export async function ownCommits(db: Reader, taskId: string): Promise<ReadonlySet<string>> {
  const named = (await listArtifacts(db, taskId)).flatMap(({ type, metadata }) => {
    if (type === 'commit') return [metadata['hash']];
    return type === 'branch' ? [metadata['updatedTo']] : [];
  });
  return new Set(named.filter((hash) => typeof hash === 'string'));
}

type Updated = { readonly taskId: string; readonly branch: string; readonly after: string; readonly base: string };

/** A branch that was brought up to date has work under a new name; without any left, it only points at its base. What changed, for the log. */
export async function noteUpdate(
  tx: Tx,
  { taskId, branch, after, base }: Updated,
): Promise<{ readonly artifact?: Artifact }> {
  const known = await findArtifactByKey(tx, taskId, `branch:${branch}`);
  if (known === null || after === base) return {};
  const artifact = { ...known, metadata: { ...known.metadata, updatedTo: after } };
  await updateArtifact(tx, artifact);
  return { artifact };
}
