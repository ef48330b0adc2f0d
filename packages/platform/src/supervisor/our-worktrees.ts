import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listProjects, type Project, type Store } from '@attractor/store';
import { git, isOurWorktree, openRepository, type Repository } from '@attractor/repository';

/** A worktree of a task on this machine, as git lists it. `taskId` comes from its folder's name. */
export type OurWorktree = {
  readonly project: Project;
  readonly repository: Repository;
  readonly path: string;
  readonly taskId: string;
  readonly head: string;
  /** Why it is locked; null when it is not. */
  readonly lock: string | null;
};

/** Every worktree below a project's own worktree folder; none that people made. */
export async function listOurWorktrees(store: Store, home: string): Promise<ReadonlyArray<OurWorktree>> {
  const found: OurWorktree[] = [];
  for (const { project, repository } of await listCheckouts(store, home))
    found.push(...((await whileThere([repository.root], () => listIn(project, repository))) ?? []));
  return found;
}

export type Checkout = { readonly project: Project; readonly repository: Repository };

/** Every project repository on this machine. */
export async function listCheckouts(store: Store, home: string): Promise<ReadonlyArray<Checkout>> {
  const found: Checkout[] = [];
  for (const project of await listProjects(store.read)) {
    for (const path of checkoutsOf(project, home)) {
      const repository = await whileThere([path], () => openRepository(path, project.config));
      if (repository?.ok === true) found.push({ project, repository: repository.value });
    }
  }
  return found;
}

/** Null if one of the folders is removed meanwhile: a person may do that at any moment, and then there is nothing left to supervise. */
export async function whileThere<Value>(
  folders: ReadonlyArray<string>,
  work: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await work();
  } catch (error) {
    if (folders.every((folder) => existsSync(folder))) throw error;
    return null;
  }
}

/** Where the project's repository may be on this machine. */
function checkoutsOf(project: Project, home: string): ReadonlyArray<string> {
  return [project.path, join(home, 'repositories', project.id)].filter((path) => existsSync(path));
}

async function listIn(project: Project, repository: Repository): Promise<ReadonlyArray<OurWorktree>> {
  const listed = await git(['worktree', 'list', '--porcelain', '-z'], { cwd: repository.root });
  if (!listed.ok) return [];
  return listed.value.split('\0\0').flatMap((block) => {
    const lines = block.split('\0').filter((line) => line !== '');
    const field = (name: string): string | null => {
      const line = lines.find((candidate) => candidate === name || candidate.startsWith(`${name} `));
      return line === undefined ? null : line.slice(name.length + 1);
    };
    const path = field('worktree') ?? '';
    const taskId = TASK_ID.exec(basename(path))?.[0];
    if (taskId === undefined || !isOurWorktree(repository, path)) return [];
    return [{ project, repository, path, taskId, head: field('HEAD') ?? '', lock: field('locked') }];
  });
}

const TASK_ID = /^tsk_[0-9a-z]+/;
