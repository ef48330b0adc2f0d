import { tmpdir } from 'node:os';
import type { Project } from '@attractor/store';
import { git } from '@attractor/repository';

/** What the git that we would use says of itself, or null where there is none. One in a project's repository is not ours. */
export async function readVersion(projects: ReadonlyArray<Pick<Project, 'path'>>): Promise<string | null> {
  const said = await git(['version'], { cwd: tmpdir(), outside: projects.map(({ path }) => path) });
  return said.ok ? said.value : null;
}
