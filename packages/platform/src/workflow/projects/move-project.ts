import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { git, openRepository, type Repository, worktreeFolders } from '@attractor/repository';
import {
  type Actor,
  appendEvents,
  findProject,
  findProjectByPath,
  type Project,
  refuse,
  type Result,
  setProjectPath,
  type Store,
} from '@attractor/store';

/** The folder of a project is elsewhere now. Trust does not move along: what is there is looked at anew. */
export async function moveProject(
  store: Store,
  { id, path }: { readonly id: string; readonly path: string },
  actor: Actor,
): Promise<Result<Project>> {
  const known = await findProject(store.read, id);
  if (known === null) return refuse('not_found', `There is no project ${id}.`);
  if (existsSync(known.path))
    return refuse(
      'conflict',
      `${known.path} is still there: move it first, or add ${path} as a project of its own ("attractor projects create").`,
    );
  const { worktreesPath } = known.config;
  const opened = await openRepository(path, { worktreesPath });
  if (!opened.ok) return opened;
  const { root } = opened.value;
  await repairWorktrees(opened.value);
  return store.transact(async (tx) => {
    const other = await findProjectByPath(tx, root);
    if (other !== null)
      return refuse('conflict', `${root} is already a project: "${other.name}" (${other.key}).`, { project: other });
    const moved: Project = { ...known, path: root, trustedConfigHash: null };
    await setProjectPath(tx, id, root);
    await appendEvents(tx, [
      {
        projectId: id,
        type: 'project.updated',
        summary: `Moved from ${known.path} to ${root}`,
        data: { project: moved, fields: ['path'] },
        actor,
      },
    ]);
    return done(moved);
  });
}

/** Worktrees moved along with the repository: they and git name each other by their old places. */
async function repairWorktrees(repository: Repository): Promise<void> {
  const worktrees = worktreeFolders(repository)
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((folder) => existsSync(join(folder, '.git')));
  // The first says where they are, the second where the repository is. What can't be repaired is made anew by the next run.
  for (const places of [worktrees, []])
    await git(['worktree', 'repair', ...places], { cwd: repository.root, timeoutMs: 60_000 });
}
