/** What a git command may do, as far as hardening must know. */
export type GitSubcommand = {
  readonly name: string;
  /** The position of its name among the arguments. */
  readonly at: number;
  /**
   * It neither reads a working tree through filters nor merges, and what it shows it shows with `SHOWS_DIFFS`'s flags, so the
   * repository's own program keys can't matter.
   */
  readonly isPlumbing: boolean;
  readonly showsDiffs: boolean;
  /** It compares the working tree and can be told to ignore the inside of submodules. */
  readonly comparesTree: boolean;
  /** It may run git inside submodules, and can't be told not to. */
  readonly entersSubmodules: boolean;
  /** It contacts other repositories. */
  readonly talks: boolean;
};

export function subcommandOf(args: ReadonlyArray<string>): GitSubcommand {
  const at = positionOf(args);
  const name = args[at] ?? '';
  const isPlumbing = isPlumbingCall(name, args.slice(at + 1));
  return {
    name,
    at,
    isPlumbing,
    showsDiffs: SHOWS_DIFFS.has(name),
    comparesTree: COMPARES_TREE.has(name),
    entersSubmodules: !isPlumbing && !COMPARES_TREE.has(name) && !STAYS_OUT.has(name),
    talks: TALKS.has(name),
  };
}

function isPlumbingCall(name: string, args: ReadonlyArray<string>): boolean {
  if (name === 'worktree') return ENTRY_ONLY.has(args[0] ?? '');
  // Without the working tree it compares the index with a commit.
  if (name === 'diff-index') return args[0] === '--cached';
  return PLUMBING.has(name) && !(name === 'read-tree' && args.some((arg) => /^-\w*u/.test(arg)));
}

/** Forms of `git worktree` that touch the entry of a worktree, and no file in it. */
const ENTRY_ONLY = new Set(['list', 'lock', 'unlock']);

const TAKES_VALUE = new Set(['-c', '-C', '--git-dir', '--work-tree', '--namespace', '--config-env', '--exec-path']);

function positionOf(args: ReadonlyArray<string>): number {
  let at = 0;
  while ((args[at] ?? '').startsWith('-')) at += TAKES_VALUE.has(args[at] ?? '') ? 2 : 1;
  return at;
}

const PLUMBING = new Set([
  '',
  'branch',
  'cat-file',
  'check-attr',
  'check-ref-format',
  'commit-tree',
  'config',
  'diff-tree',
  'for-each-ref',
  'init',
  'log',
  'ls-files',
  'ls-tree',
  'merge-base',
  'read-tree',
  'rev-list',
  'rev-parse',
  'show-ref',
  'symbolic-ref',
  'update-ref',
  'version',
  'write-tree',
]);

const SHOWS_DIFFS = new Set(['diff', 'diff-tree', 'diff-index', 'diff-files', 'log', 'show']);

const COMPARES_TREE = new Set(['status', 'diff', 'diff-index', 'diff-files']);

const TALKS = new Set(['clone', 'fetch', 'lfs', 'ls-remote', 'pull', 'push', 'remote', 'submodule']);

/** Known not to look into submodules while `submodule.recurse` is off; anything else is assumed to. */
const STAYS_OUT = new Set([
  'check-ignore',
  'checkout-index',
  'clean',
  'count-objects',
  'fetch',
  'hash-object',
  'lfs',
  'ls-remote',
  'prune',
  'push',
  'reflog',
  'repack',
  'reset',
  'show',
  'tag',
  'update-index',
  'worktree',
]);
