import { findProject, type StoredEffect } from '@attractor/store';
import { commitOf } from '../git/commits.ts';
import { openRepository } from '../git/open-repository.ts';
import type { ScmServices } from '../scm/open-scm.ts';
import { checkedOut } from '../worktrees/project-checkout.ts';

/** What an effect needs is `here`, or is `missing` and perhaps on another machine; `unknown`: only carrying it out tells. */
export type Whereabouts = 'here' | 'missing' | 'unknown';

/** For so long an effect is left to the machines that have what it needs. */
export const OTHERS_FIRST_MS = 15_000;
const MOST = 1_000;

/**
 * Tells for each open effect whether this machine has the project and the commit. Where there is only one machine, nobody else has them.
 * What was here once is not looked for again, and what was not is looked for now and then.
 */
export function createWhereabouts({ store, home }: ScmServices) {
  const present = new Set<string>();
  const looked = new Map<string, number>();
  const look = async (effect: StoredEffect): Promise<Whereabouts> => {
    const { id, projectId, work } = effect;
    if (present.has(id)) return 'here';
    const before = looked.get(id);
    if (before !== undefined && performance.now() - before < OTHERS_FIRST_MS) return 'missing';
    const commit = commitNeeded(work);
    if (commit === null && present.has(projectId)) return 'unknown';
    const project = await findProject(store.read, projectId);
    const here = project === null ? null : checkedOut(project, home);
    if (project === null) return 'unknown';
    if (here !== null) present.add(projectId);
    if (here !== null && commit === null) return 'unknown';
    const repository = here === null ? null : await openRepository(here.path, here.config);
    const isHere = repository?.ok === true && commit !== null && (await commitOf(repository.value, commit)) !== null;
    if (Math.max(present.size, looked.size) > MOST) [present, looked].forEach((known) => known.clear());
    if (isHere) present.add(id);
    else looked.set(id, performance.now());
    return isHere ? 'here' : 'missing';
  };
  return {
    find: async (open: ReadonlyArray<StoredEffect>): Promise<ReadonlyMap<string, Whereabouts>> => {
      if (store.dialect !== 'postgres') return new Map();
      const found = new Map<string, Whereabouts>();
      for (const effect of open) found.set(effect.id, await look(effect));
      return found;
    },
    /** It turned out to be for another machine: this one does not try again at once. */
    leave: ({ id }: StoredEffect): void => {
      present.delete(id);
      looked.set(id, performance.now());
    },
  };
}

function commitNeeded(work: StoredEffect['work']): string | null {
  return work?.kind === 'push' ? work.commit : work?.kind === 'merge_pr' ? work.headCommit : null;
}
