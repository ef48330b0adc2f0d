import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../git/repository.ts';

/** What a worktree lacks compared with its repository, described for people; empty for most repositories. */
export async function worktreeNotices(path: string): Promise<ReadonlyArray<string>> {
  return submodules(path);
}

/** Their addresses come from the repository, so nothing is fetched from there unless a person's own setup says so. */
async function submodules(path: string): Promise<ReadonlyArray<string>> {
  if (!existsSync(join(path, '.gitmodules'))) return [];
  const listed = await git(['ls-files', '--stage', '-z'], { cwd: path });
  const names = listed.ok
    ? listed.value.split('\0').flatMap((line) => /^160000 \S+ \d\t(.+)$/s.exec(line)?.[1] ?? [])
    : [];
  const empty = names.filter((name) => !existsSync(join(path, name, '.git')));
  if (empty.length === 0) return [];
  return [
    `Submodules are not checked out here: ${empty.join(', ')}. If agents need them, add "git submodule update --init" to "setup" in .attractor/config.json.`,
  ];
}
