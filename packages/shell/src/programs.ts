import type { PathContext } from './paths.ts';

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
export function whyForeign(name: string, { wrappers, cwds, pathContext: { disk } }: Started): string | null {
  if (disk === null) return null;
  const starts = wrappers.filter((one) => !BUILTINS.has(one));
  const isBuiltIn = BUILTINS.has(name) && starts.length === 0;
  const names = [...starts, ...(isBuiltIn ? [] : [name, ...(PARTS.get(name) ?? [])])];
  for (const one of names)
    for (const cwd of cwds) {
      const found = disk.program(one, cwd);
      if (found?.foreign === true) return `${one} is ${found.path} here, which need not be what its name says`;
    }
  return null;
}

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
  ['yq', ['jq']],
  ['zcat', ['gzip']],
]);
