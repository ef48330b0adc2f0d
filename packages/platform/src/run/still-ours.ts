import { holdsClaim } from '@attractor/store';
import { LetGo, type RunContext } from '../run-context/run-context.ts';

/**
 * Called before a worktree is changed. A process that slept or waited long may have lost the run meanwhile: its worktree then belongs to
 * another worker, perhaps to another run, and must not be touched. Writes to the database are fenced anyway.
 */
export async function letGoIfLost({ services, claim }: RunContext): Promise<void> {
  if (!(await holdsClaim(services.store.read, claim))) throw new LetGo('another worker has this run');
}
