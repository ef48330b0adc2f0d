import { tmpdir } from 'node:os';
import type { Project } from '@attractor/store';
import { git } from '@attractor/repository';

/** The version of the git that we would use, or null if there is none. A git inside a project's repository does not count. */
export async function readVersion(projects: ReadonlyArray<Pick<Project, 'path'>>): Promise<string | null> {
  const said = await git(['version'], { cwd: tmpdir(), outside: projects.map(({ path }) => path) });
  return said.ok ? said.value : null;
}
