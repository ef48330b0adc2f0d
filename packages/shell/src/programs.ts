import type { Disk } from './disk.ts';
import type { PathContext } from './paths.ts';
import { interpreterOf } from './search-path.ts';
import { whyShimmed } from './shims.ts';

export type Started = {
  /** What was taken off before it, outermost first: `timeout`, `nice`. */
  readonly wrappers: ReadonlyArray<string>;
  readonly cwds: ReadonlyArray<string>;
  readonly pathContext: PathContext;
};

/**
 * Why a name need not be the program that the tables know: the shell would find it in the workspace, where a repository can put anything
 * under any name. Null when it is what it says, or is not there at all.
 */
export function whyForeign(name: string, { wrappers, cwds, pathContext: { disk, home } }: Started): string | null {
  if (disk === null) return null;
  const starts = wrappers.filter((one) => !BUILTINS.has(one));
  const isBuiltIn = BUILTINS.has(name) && starts.length === 0;
  const names = [...starts, ...(isBuiltIn ? [] : [name, ...(PARTS.get(name) ?? [])])];
  for (const one of names)
    for (const cwd of cwds) {
      const why = whyForeignHere(one, cwd, { disk, home });
      if (why !== null) return why;
    }
  return null;
}

/** A script whose first line has `env` look for its interpreter is what that is. */
function whyForeignHere(name: string, cwd: string, around: Around): string | null {
  const { disk } = around;
  const found = disk.program(name, cwd);
  if (found === null) return null;
  if (found.foreign) return `${name} is ${found.path} here, which need not be what its name says`;
  const interpreter = interpreterOf(found.path);
  const runs = interpreter === null ? null : disk.program(interpreter, cwd);
  if (runs?.foreign === true) return `${name} is run by ${runs.path} here, which need not be what its name says`;
  return whyShimmed(found.path, cwd, around) ?? (runs === null ? null : whyShimmed(runs.path, cwd, around));
}

type Around = { readonly disk: Disk; readonly home: string };

/** What bash does itself, whatever lies in the folders of PATH. */
const BUILTINS: ReadonlySet<string> = new Set(
  '[ : builtin cd command dirs echo false popd printf pushd pwd read set test time true type ulimit umask'.split(' '),
);

/** Programs that start others by their names. */
const PARTS: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ['egrep', ['grep']],
  ['fgrep', ['grep']],
  ['diff3', ['diff']],
  ['gunzip', ['gzip']],
  ['git', 'man groff preconv tbl eqn troff grotty nroff col less pager'.split(' ')],
  ['tar', 'gzip bzip2 xz lzma zstd lzip lzop compress'.split(' ')],
  ['yq', ['jq']],
  ['zcat', ['gzip']],
]);
