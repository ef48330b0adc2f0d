import { runGit } from '@attractor/git';
import { findSubmoduleStore, hasSubmoduleStores, inStore, storeHas } from './submodule-store.ts';

/** A pointer that a diff shows, as git prints it. */
const POINTER =
  /^--- a\/(?<path>[^\n]+)\n\+\+\+ b\/[^\n]+\n@@ [^\n]+\n-Subproject commit (?<from>[0-9a-f]{40,64})(?:-dirty)?\n\+Subproject commit (?<to>[0-9a-f]{40,64})/gm;

export type SubmoduleRange = { readonly path: string; readonly from: string; readonly to: string };

/** The moves of pointers in the text of a diff that are work of ours, so that their commits can be shown. */
export async function movedSubmodules(cwd: string, text: string): Promise<ReadonlyArray<SubmoduleRange>> {
  if (!text.includes('+Subproject commit ') || !hasSubmoduleStores(cwd)) return [];
  const moves = [...text.matchAll(POINTER)].map(({ groups }) => ({
    path: groups?.['path']?.replace(/\t$/, '') ?? '',
    from: groups?.['from'] ?? '',
    to: groups?.['to'] ?? '',
  }));
  const shown: SubmoduleRange[] = [];
  for (const move of moves) {
    const store = findSubmoduleStore(cwd, move.path);
    if (store !== null && (await storeHas(store, move.from)) && (await storeHas(store, move.to))) shown.push(move);
  }
  return shown;
}

export type DiffForm = { readonly flags: ReadonlyArray<string>; readonly maxBytes: number };

/** What changed inside, with paths from the top of the project. Empty if it can't be read. */
export async function readSubmoduleDiff(cwd: string, move: SubmoduleRange, { flags, maxBytes }: DiffForm) {
  const store = findSubmoduleStore(cwd, move.path);
  if (store === null) return { text: '', truncated: false };
  const places = [`--src-prefix=a/${move.path}/`, `--dst-prefix=b/${move.path}/`];
  const args = ['diff-tree', '-r', ...flags, ...places, '--end-of-options', move.from, move.to];
  const read = await runGit(args, { ...inStore(store), maxOutputBytes: maxBytes });
  return { text: read.exitCode === 0 ? read.stdout : '', truncated: read.truncated };
}

/** What the commits inside added, one after another, in the form of `git log --format=%x00%H --patch`. */
export async function logSubmodules(
  cwd: string,
  { from, to, flags, maxBytes }: DiffForm & { readonly from: string; readonly to: string },
): Promise<string> {
  if (!hasSubmoduleStores(cwd)) return '';
  const pointers = await runGit(['diff-tree', '-r', '-p', '--no-renames', '--end-of-options', from, to], { cwd });
  const logs: string[] = [];
  const moves = [...(await movedSubmodules(cwd, pointers.stdout))];
  for (const move of moves) {
    const store = findSubmoduleStore(cwd, move.path);
    if (store === null) continue;
    const args = ['log', ...flags, `--dst-prefix=b/${move.path}/`, '--end-of-options', `${move.from}..${move.to}`];
    logs.push((await runGit(args, { ...inStore(store), maxOutputBytes: maxBytes })).stdout);
    const inside = await readSubmoduleDiff(cwd, move, { flags: ['-p', '--no-renames'], maxBytes });
    moves.push(...(await movedSubmodules(cwd, inside.text)));
  }
  return logs.join('');
}
