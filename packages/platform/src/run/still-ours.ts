import { holdsClaim } from '@attractor/store';
import { LetGo, type RunContext } from '../runs/run-context.ts';

/**
 * Asked before a worktree is changed. Who slept or waited long may have lost the run meanwhile: then its worktree is another worker's,
 * and perhaps another run's, and must not be touched. What is written to the database is fenced by itself.
 */
export async function letGoIfLost({ services, claim }: RunContext): Promise<void> {
  if (!(await holdsClaim(services.store.read, claim))) throw new LetGo('another worker has this run');
}
