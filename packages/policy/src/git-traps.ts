import type { GitList, ShellPart, ShellReading } from '@attractor/shell';
import type { GitContext } from './git-programs.ts';

/**
 * Why parts of a command that only read by their words may do more: what git finds in a folder can make it run a program even for
 * `git status`. Git is asked before the command runs, so no other part may be able to create what git would then find.
 */
export async function gitTraps(
  { parts }: ShellReading,
  ground: Omit<GitContext, 'folder'>,
): Promise<ReadonlyMap<ShellPart, string>> {
  const traps = new Map<ShellPart, string>();
  const asking = parts.filter((part) => part.effect === 'read' && part.repositories !== undefined);
  const isOnlyRead = parts.every(({ effect }) => effect === 'read');
  for (const part of asking) {
    // What another part runs is judged with that part, unless that one only reads because everything it runs does.
    if (part.via !== undefined && !isOnlyRead) continue;
    if (mayMoveElsewhere(parts, ground)) traps.set(part, 'CDPATH may lead cd to another folder');
    const beside = parts.some((other) => other !== part && mayMakeRepository(other)) ? 'writes' : 'reads';
    const trap = await trapIn(part.repositories ?? [], ground, beside);
    if (trap !== null) traps.set(part, trap);
  }
  for (const part of traps.size > 0 ? [] : parts) {
    const why = part.lists === undefined ? null : await whyListed(part.lists, ground, isOnlyRead);
    if (why !== null) traps.set(part, why);
  }
  return traps;
}

async function whyListed(
  list: GitList,
  ground: Omit<GitContext, 'folder'>,
  isOnlyRead: boolean,
): Promise<string | null> {
  if (!isOnlyRead) return 'another part of the command may change which files git lists';
  const { whyListAsks } = await import('./git-listed-files.ts');
  return whyListAsks(list, ground);
}

async function trapIn(
  folders: ReadonlyArray<string>,
  ground: Omit<GitContext, 'folder'>,
  beside: 'writes' | 'reads',
): Promise<string | null> {
  const { whyGitAsks, isFixed } = await import('./git-programs.ts');
  for (const folder of folders) {
    const why = await whyGitAsks({ ...ground, folder });
    if (why !== null) return why;
    if (beside === 'writes' && !(await isFixed({ ...ground, folder })))
      return 'another part of the command may change what git obeys there';
  }
  return null;
}

/** With this variable the shell first looks for the folder of a `cd` in other places. */
function mayMoveElsewhere(parts: ReadonlyArray<ShellPart>, { variables }: Pick<GitContext, 'variables'>): boolean {
  return (variables['CDPATH'] ?? '') !== '' && parts.some(({ words }) => /^(?:cd|pushd)$/.test(words?.[0] ?? ''));
}

/** Names by which git takes a folder for a repository, or a file for part of one. */
const GIT_NAMES: ReadonlySet<string> = new Set(
  '.git head commondir gitdir config config.worktree objects refs hooks index info packed-refs'.split(' '),
);
/** They copy whole folders, or names that the command does not show. */
const CARRIERS: ReadonlySet<string> = new Set('cp mv ln install rsync git tar bsdtar cpio unzip 7z patch'.split(' '));

/** A program that a rule allows may run anything anyway; what counts is a part that could only write, and not run. */
function mayMakeRepository({ effect, argv, words, targets }: ShellPart): boolean {
  if (effect === 'read') return false;
  if (CARRIERS.has(argv?.[0] ?? words?.[0] ?? '')) return true;
  return targets.some(
    ({ access, path: file }) =>
      access === 'write' && (file === null || file.split('/').some((name) => GIT_NAMES.has(name.toLowerCase()))),
  );
}
