/**
 * What a command of git may print of the files in a repository. `objects`: words that may name a commit, a tree or a file in one;
 * `paths`: words that limit it to files. `folders`: where `-C` leads, one after the other. `isElsewhere`: an option names the repository.
 */
export type GitShown = {
  /** It compares or searches files; without, it prints only objects that are named. */
  readonly isWide: boolean;
  /** Of a file that it is given, it prints that file and nothing else. */
  readonly printsObjects: boolean;
  readonly objects: ReadonlyArray<string>;
  readonly paths: ReadonlyArray<string>;
  /** Words among `objects` that name no object limit it too: none of them is the value of an option. */
  readonly mayLimit: boolean;
  readonly folders: ReadonlyArray<string>;
  readonly isElsewhere: boolean;
  /** It also reads files that git does not know. */
  readonly isBeyond: boolean;
  /** What it compares follows from its words alone: none of its options has a part in it but these. */
  readonly compares: GitCompares | null;
};

/** `choosing`: options that limit the number of commits. */
export type GitCompares = {
  readonly subcommand: 'diff' | 'show' | 'log';
  readonly isCached: boolean;
  readonly choosing: ReadonlyArray<string>;
};

/** Null: it prints names, messages and settings, and nothing of what files hold. An option that is not known here may print everything. */
export function shownByGit([, ...given]: ReadonlyArray<string>): GitShown | null {
  const { subcommand, words, folders, isElsewhere } = placed(given);
  if (subcommand === undefined || PRINTS_NO_FILE.has(subcommand)) return null;
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  const options = before.filter((word) => /^-./.test(word));
  const isWide = mayCompare(subcommand, before, options);
  if (!isWide && !PRINTS_OBJECTS.has(subcommand)) return null;
  if (subcommand === 'cat-file' && options.length > 0 && options.every((word) => TELLS_OF_OBJECTS.test(word)))
    return null;
  return {
    isWide,
    printsObjects: PRINTS_OBJECTS.has(subcommand),
    objects: before.filter((word) => !/^-./.test(word)),
    paths: end < 0 ? [] : words.slice(end + 1),
    mayLimit: LIMITED.has(subcommand) && end < 0 && options.every((word) => ALONE.test(word)),
    folders,
    isElsewhere,
    isBeyond: options.some((word) => BEYOND.test(word)),
    compares: comparedBy(subcommand, options),
  };
}

function comparedBy(subcommand: string, options: ReadonlyArray<string>): GitCompares | null {
  const isKnown = subcommand === 'diff' || subcommand === 'show' || subcommand === 'log';
  if (!isKnown || !options.every((word) => ALONE.test(word))) return null;
  return {
    subcommand,
    isCached: options.some((word) => word === '--cached' || word === '--staged'),
    choosing: options.filter((word) => /^-\d+$/.test(word)),
  };
}

const BEYOND = /^--(?:no-index|untracked|no-exclude-standard|add-file|add-virtual-file)/;
const LIMITED: ReadonlySet<string> = new Set('diff log show whatchanged diff-tree diff-index diff-files'.split(' '));

/** Options that take no further word. */
const ALONE =
  /^(?:-[puswbr]|-\d+|--(?:patch|cached|staged|stat|oneline|no-patch|word-diff|color-words|no-color|name-only|name-status))$/;

type Placed = Pick<GitShown, 'folders' | 'isElsewhere'> & {
  readonly subcommand: string | undefined;
  readonly words: ReadonlyArray<string>;
};

const TAKES_VALUE =
  /^(?:-c|-C|--git-dir|--work-tree|--namespace|--exec-path|--super-prefix|--config-env|--attr-source)$/;
const NAMES_PLACE = /^--(?:git-dir|work-tree|namespace|bare)(?:=|$)/;

function placed(given: ReadonlyArray<string>): Placed {
  const folders: string[] = [];
  let isElsewhere = false;
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? '';
    if (!word.startsWith('-')) return { subcommand: word, words: given.slice(at + 1), folders, isElsewhere };
    if (NAMES_PLACE.test(word)) isElsewhere = true;
    if (word === '-C') folders.push(given[at + 1] ?? '');
    if (TAKES_VALUE.test(word)) at += 1;
  }
  return { subcommand: undefined, words: [], folders, isElsewhere };
}

/** They change or list, and show no line of a file, whatever their options. */
const PRINTS_NO_FILE: ReadonlySet<string> = new Set(
  'blame annotate branch check-attr check-ignore check-ref-format cherry clean clone config count-objects describe fetch fsck gc help init ls-files ls-remote ls-tree maintenance merge-base mv name-rev prune pull push remote rev-list rev-parse rm shortlog show-branch show-ref symbolic-ref update-index update-ref version worktree write-tree'.split(
    ' ',
  ),
);

/** What they print of files is what their words name. */
const PRINTS_OBJECTS: ReadonlySet<string> = new Set(['show', 'cat-file', 'for-each-ref', 'tag', 'notes']);

const NEVER = /(?!)/;
const TELLS_OF_OBJECTS = /^(?:-[tse]+|--batch-check(?:=.*)?|--follow-symlinks|--allow-unknown-type)$/;

/** They change files or history, and show lines of files only with such an option. */
const SHOWING: Readonly<Record<string, RegExp>> = {
  add: /^(?:-[a-zA-Z]*[pie]|--patch|--interactive|--edit)/,
  am: /^--show-current-patch/,
  bisect: /^-/,
  'cat-file': NEVER,
  checkout: /^(?:-[a-zA-Z]*p|--patch)/,
  'cherry-pick': NEVER,
  commit: /^(?:-[a-zA-Z]*[pv]|--patch|--verbose|--interactive)/,
  'for-each-ref': /raw/,
  merge: NEVER,
  notes: NEVER,
  rebase: /^--show-current-patch/,
  reset: /^(?:-[a-zA-Z]*p|--patch)/,
  restore: /^(?:-[a-zA-Z]*p|--patch)/,
  revert: NEVER,
  stash: /^(?:-[a-zA-Z]*p|--patch)/,
  status: /^(?:-[a-zA-Z]*v|--verbose)/,
  switch: NEVER,
  tag: /raw/,
};

/** They list commits or files, and compare only with an option that is not among `LISTS`. */
const LISTING: ReadonlySet<string> = new Set([
  ...'log reflog whatchanged diff-tree diff-index diff-files'.split(' '),
  'stash list',
]);

/** They compare, unless one of `NAMES_INSTEAD` is given. */
const COMPARING: ReadonlySet<string> = new Set(['diff', 'show', 'stash show']);

/** Instead of a comparison these print names and numbers. */
const NAMES_INSTEAD =
  /^(?:-s|--(?:no-patch|quiet|name-only|name-status|raw|summary|numstat|shortstat|compact-summary|(?:stat|dirstat)(?:=.*)?))$/;

/** Options of the above that change how commits and names are listed, and nothing else. */
const LISTS =
  /^(?:-\d+|-[aznqirtmgEFPRDMCB]+\d*|-n.*|--(?:oneline|pretty|format|abbrev|no-abbrev|abbrev-commit|no-abbrev-commit|decorate|no-decorate|clear-decorations|decorate-refs|decorate-refs-exclude|graph|no-graph|all|branches|tags|remotes|glob|exclude|max-count|skip|since|after|until|before|author|committer|grep|grep-reflog|all-match|invert-grep|regexp-ignore-case|basic-regexp|extended-regexp|fixed-strings|perl-regexp|merges|no-merges|min-parents|max-parents|first-parent|not|simplify-by-decoration|full-history|simplify-merges|ancestry-path|date-order|author-date-order|topo-order|reverse|walk-reflogs|boundary|left-only|right-only|cherry-mark|cherry-pick|cherry|left-right|follow|date|relative-date|parents|children|source|use-mailmap|mailmap|no-mailmap|log-size|notes|no-notes|encoding|count|no-walk|do-walk|ignore-missing|no-renames|find-renames|find-copies|diff-filter|cached|staged|no-color|color|no-ext-diff|no-textconv|relative|no-relative|no-commit-id|merge-base)(?:=.*)?)$/;

function mayCompare(subcommand: string, words: ReadonlyArray<string>, options: ReadonlyArray<string>): boolean {
  const areNames = options.every((word) => NAMES_INSTEAD.test(word) || LISTS.test(word));
  const isInstead = areNames && options.some((word) => NAMES_INSTEAD.test(word));
  const verb = subcommand === 'stash' ? `stash ${words[0] ?? ''}` : subcommand;
  if (LISTING.has(verb)) return !areNames;
  if (COMPARING.has(verb)) return !isInstead;
  const shows = SHOWING[subcommand];
  return shows === undefined || options.some((word) => shows.test(word));
}
