import { tmpdir } from 'node:os';
import { git } from '../worktrees/repository.ts';

/** What the git that we would use says of itself, or null where there is none. */
export async function readVersion(): Promise<string | null> {
  const said = await git(['version'], { cwd: tmpdir() });
  return said.ok ? said.value : null;
}
