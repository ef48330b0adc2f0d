import path from 'node:path';
import { isInside } from '../containment/resolve.ts';
import { namedByGit } from '../guard/named-by-git.ts';
import { repositoryAround } from './git-mounts.ts';

/** Files and folders of the roots that git obeys because its settings, or a person's, name them: included files, folders of hooks. */
export function namedInRoots(roots: ReadonlyArray<string>, homes: ReadonlyArray<string>): ReadonlyArray<string> {
  const files = homes.flatMap((home) => ['.gitconfig', '.config/git/config'].map((name) => path.join(home, name)));
  const named = roots.flatMap((root) => {
    const top = repositoryAround(root) ?? root;
    const own = ['config', 'config.worktree'].map((name) => path.join(top, '.git', name));
    return namedByGit({ files: [...own, ...files, '/etc/gitconfig'], top, home: homes[0] ?? top });
  });
  return [...new Set(named)].filter((at) => roots.some((root) => isInside(root, at) && at !== root));
}
