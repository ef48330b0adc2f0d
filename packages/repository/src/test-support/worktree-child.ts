import { ensureWorktree } from '../worktrees/worktree.ts';
import { openRepository } from '../git/open-repository.ts';

/** A process that makes five worktrees at once: `node worktree-child.ts REPOSITORY NAME`. Exits with 0 if it got all of them. */
const [path = '', name = ''] = process.argv.slice(2);
const repository = await openRepository(path);
if (!repository.ok) throw new Error(repository.error.message);
const made = await Promise.all(
  [1, 2, 3, 4, 5].map((index) =>
    ensureWorktree({
      repository: repository.value,
      taskId: `tsk_${name}${index}`,
      branch: `agent/${name}-${index}`,
      baseBranch: 'main',
      author: { name: 'Attractor Agent', email: 'agent@attractor.invalid' },
      lockReason: 'test',
    }),
  ),
);
for (const result of made) if (!result.ok) console.error(result.error.message);
process.exitCode = made.filter((result) => !result.ok).length;
