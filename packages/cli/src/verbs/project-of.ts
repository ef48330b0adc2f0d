import { realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { runGit } from '@attractor/git';
import type { Project } from '@attractor/platform';
import type { ApiClient } from '@attractor/api';
import { CommandFailure, EXIT } from '@attractor/console';
import type { Environment } from '../settings.ts';
import { valueOf } from '@attractor/console/lines';

export type ProjectQuestion = {
  readonly client: ApiClient;
  /** Id, name or path, as the person gave it. */
  readonly named: string | undefined;
  readonly env: Environment;
  readonly cwd: string;
};

/** The flag, then ATTRACTOR_PROJECT_ID, then the repository of this folder. Null if none of them names one. */
export async function findProject({ client, named, env, cwd }: ProjectQuestion): Promise<Project | null> {
  const wanted = named ?? (env['ATTRACTOR_PROJECT_ID'] === '' ? undefined : env['ATTRACTOR_PROJECT_ID']);
  const projects = valueOf(await client.projects.list());
  if (wanted === undefined) return projectOfFolder(projects, cwd);
  const path = await realpath(wanted).catch(() => wanted);
  const isCalled = ({ id, key, name, path: own }: Project) =>
    id === wanted || name === wanted || own === path || key === wanted.toUpperCase();
  const found = projects.filter(isCalled);
  const [first, second] = found;
  if (first === undefined)
    throw new CommandFailure(`there is no project ${wanted}. See \`attractor projects list\`.`, EXIT.notFound);
  if (second !== undefined)
    throw new CommandFailure(`more than one project is called ${wanted}: give its id.`, EXIT.refused);
  return first;
}

/** The innermost project that contains the folder. A worktree elsewhere belongs to the repository it was made from. */
async function projectOfFolder(projects: ReadonlyArray<Project>, cwd: string): Promise<Project | null> {
  const folder = await realpath(cwd).catch(() => cwd);
  const around = innermost(projects, folder);
  if (around !== null || projects.length === 0) return around;
  const common = await runGit(['rev-parse', '--path-format=absolute', '--git-common-dir'], {
    cwd: folder,
    safeDirectory: '*',
  });
  return common.exitCode === 0 ? innermost(projects, dirname(common.stdout.trim())) : null;
}

function innermost(projects: ReadonlyArray<Project>, folder: string): Project | null {
  const around = projects.filter(({ path }) => folder === path || folder.startsWith(`${path}${sep}`));
  return around.toSorted((a, b) => b.path.length - a.path.length)[0] ?? null;
}
