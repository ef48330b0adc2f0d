import { done } from '@attractor/base';
import { mayOverlookFiles } from '@attractor/git';
import type { Result } from '@attractor/store';
import { git } from '../git/repository.ts';
import { isSparse } from './rescue.ts';

/** Files that git was told to overlook, whatever becomes of them. In a sparse checkout, those that are left out are none of these. */
export async function overlookedFiles(cwd: string): Promise<ReadonlyArray<string>> {
  if (!mayOverlookFiles({ cwd })) return [];
  const listed = await git(['ls-files', '-v', '-z'], { cwd });
  const overlooked = (await isSparse(cwd)) ? ASSUMED : OVERLOOKED;
  return (listed.ok ? listed.value.split('\0') : []).flatMap((entry) => overlooked.exec(entry)?.[1] ?? []);
}

const ASSUMED = /^[a-z] (.+)$/s;
const OVERLOOKED = /^[a-zS] (.+)$/s;

/** What an agent had git overlook is a part of its work: the checks see it. `known`: what was overlooked before. */
export async function overlookNoMore(cwd: string, known: ReadonlyArray<string>): Promise<Result<null>> {
  const before = new Set(known);
  const names = (await overlookedFiles(cwd)).filter((name) => !before.has(name));
  if (names.length === 0) return done(null);
  const stdin = names.map((name) => `${name}\0`).join('');
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree']) {
    const unset = await git(['update-index', flag, '-z', '--stdin'], { cwd, stdin });
    if (!unset.ok) return unset;
  }
  return done(null);
}
