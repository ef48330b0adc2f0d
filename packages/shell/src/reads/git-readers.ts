import type { ParsedArguments, Reader } from './arguments.ts';
import { asksForMuch } from './print-formats.ts';

// `name=?` also where git takes a value only after an equals sign: the next word is then separate.
const DIFF_SHORT = 'pusabwRDzW';
const DIFF_VALUE = 'SGlI';
const DIFF_MAYBE = 'MCBU';
const DIFF_LONG =
  'patch no-patch unified=? raw minimal patience histogram anchored= diff-algorithm= stat=? numstat shortstat dirstat=? summary name-only name-status color=? no-color color-moved=? no-color-moved word-diff=? word-diff-regex= color-words=? no-renames check full-index binary abbrev=? find-renames=? find-copies=? find-copies-harder break-rewrites=? diff-filter= pickaxe-all pickaxe-regex text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= inter-hunk-context= function-context exit-code quiet no-ext-diff no-textconv ignore-submodules=? no-prefix src-prefix= dst-prefix= compact-summary patch-with-stat patch-with-raw relative=? cc combined-all-paths irreversible-delete rename-empty no-rename-empty no-relative no-indent-heuristic indent-heuristic color-moved-ws= ws-error-highlight= stat-width= stat-name-width= stat-count= stat-graph-width= no-stat line-prefix= default-prefix find-object= ita-invisible-in-index'.split(
    ' ',
  );
const LOG_LONG =
  'oneline pretty=? format=? abbrev-commit no-abbrev-commit decorate=? no-decorate graph all branches=? tags=? remotes=? glob= exclude= max-count= skip= since= after= until= before= author= committer= grep= grep-reflog= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp merges no-merges min-parents=? max-parents=? first-parent not simplify-by-decoration full-history simplify-merges ancestry-path=? date-order author-date-order topo-order reverse walk-reflogs boundary left-only right-only cherry-mark cherry-pick cherry left-right merge follow full-diff date= relative-date parents children source use-mailmap mailmap no-mailmap log-size notes=? no-notes encoding= reflog count no-walk=? do-walk ignore-missing objects m root show-pulls dense sparse show-notes=? no-show-notes no-expand-tabs expand-tabs=? no-min-parents no-max-parents diff-merges= no-diff-merges timestamp clear-decorations decorate-refs= decorate-refs-exclude= exclude-first-parent-only'.split(
    ' ',
  );
const REF_LONG =
  'count= sort= format= color=? merged=? no-merged=? contains=? no-contains=? points-at= ignore-case omit-empty exclude= column=? no-column no-color'.split(
    ' ',
  );

/** Operands of git are revisions or paths: judged as paths, since a path outside makes `git diff` leave the repository. */
const DIFFING: Reader = {
  short: `${DIFF_SHORT}q`,
  shortValue: DIFF_VALUE,
  shortMaybe: DIFF_MAYBE,
  long: [...DIFF_LONG, 'cached', 'staged', 'merge-base'],
  operands: 'paths',
  number: true,
};
const LOGGING: Reader = {
  short: `${DIFF_SHORT}imcqgEFPt`,
  shortValue: `${DIFF_VALUE}nL`,
  shortMaybe: DIFF_MAYBE,
  long: [...DIFF_LONG, ...LOG_LONG],
  operands: 'paths',
  number: true,
  check: tameFormat,
};

/** Subcommands of git that read, each with the options that keep it a read. */
export const GIT_READERS: Readonly<Record<string, Reader>> = {
  status: {
    short: 'sbvz',
    shortMaybe: 'u',
    long: 'short branch show-stash porcelain=? long verbose untracked-files=? ignore-submodules=? ignored=? column=? no-column ahead-behind no-ahead-behind renames no-renames find-renames=? null'.split(
      ' ',
    ),
    operands: 'paths',
  },
  diff: DIFFING,
  'diff-tree': {
    ...DIFFING,
    short: `${DIFF_SHORT}rtmcv`,
    long: [...DIFF_LONG, 'root', 'no-commit-id', 'pretty=?', 'format=?'],
    check: tameFormat,
  },
  'diff-index': { ...DIFFING, short: `${DIFF_SHORT}m`, long: [...DIFF_LONG, 'cached'] },
  'diff-files': DIFFING,
  log: LOGGING,
  show: LOGGING,
  whatchanged: LOGGING,
  reflog: { ...LOGGING, check: reflogReads },
  'rev-list': LOGGING,
  shortlog: {
    short: 'nsec',
    long: ['numbered', 'summary', 'email', 'group=', 'committer', ...LOG_LONG],
    operands: 'paths',
    check: tameFormat,
  },
  blame: {
    short: 'bcefklnpstw',
    shortValue: 'L',
    shortMaybe: 'MC',
    long: 'root show-stats porcelain line-porcelain incremental date= show-name show-number show-email abbrev=? color-lines color-by-age first-parent since= ignore-rev= no-progress'.split(
      ' ',
    ),
    operands: 'paths',
  },
  annotate: { short: 'blt', shortValue: 'L', operands: 'paths' },
  grep: {
    short: 'aiIrwvhHFEGPnlLzocqpW',
    shortValue: 'ABCem',
    long: 'text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color=? no-color break heading show-function function-context and or not all-match quiet max-depth= recursive no-recursive cached untracked no-exclude-standard exclude-standard max-count= threads= after-context= before-context= context='.split(
      ' ',
    ),
    patterns: ['e'],
    operands: 'textThenPaths',
    number: true,
  },
  'ls-files': {
    short: 'cdiomsuztv',
    shortValue: 'x',
    long: 'cached deleted modified others ignored stage unmerged killed directory no-empty-directory exclude= exclude-standard error-unmatch full-name abbrev=? debug eol deduplicate format='.split(
      ' ',
    ),
    operands: 'paths',
  },
  'ls-tree': {
    short: 'drtlz',
    long: 'long name-only name-status object-only full-name full-tree abbrev=? format='.split(' '),
    operands: 'paths',
    least: 1,
  },
  'cat-file': {
    short: 'tsep',
    // `--batch` prints what its input names, including a file with secrets.
    long: ['batch-check=?', 'follow-symlinks'],
    operands: 'paths',
    // Without an object it reads their names.
    stdin: [],
  },
  'rev-parse': {
    short: 'q',
    long: 'verify quiet short=? abbrev-ref=? symbolic symbolic-full-name all branches=? tags=? remotes=? git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository show-toplevel show-prefix show-cdup show-superproject-working-tree show-object-format'.split(
      ' ',
    ),
    operands: 'paths',
  },
  'merge-base': {
    short: 'a',
    long: ['all', 'octopus', 'is-ancestor', 'independent', 'fork-point'],
    operands: 'paths',
    least: 1,
  },
  describe: {
    long: 'all tags contains abbrev=? candidates= exact-match debug long match= exclude= always first-parent dirty=?'.split(
      ' ',
    ),
    operands: 'paths',
  },
  'name-rev': { long: ['tags', 'refs=', 'exclude=', 'all', 'name-only', 'always', 'no-undefined'], operands: 'paths' },
  'show-ref': {
    short: 'dshq',
    long: 'head heads tags branches dereference hash=? verify exists abbrev=? quiet'.split(' '),
    operands: 'paths',
  },
  'show-branch': {
    short: 'ar',
    long: ['all', 'remotes', 'topo-order', 'date-order', 'current', 'list', 'sha1-name', 'no-name'],
    operands: 'paths',
  },
  'for-each-ref': { long: REF_LONG, operands: 'paths', check: tameFormat },
  branch: {
    short: 'arvq',
    long: [...REF_LONG, 'all', 'remotes', 'list', 'verbose', 'show-current', 'abbrev=?', 'no-abbrev'],
    operands: 'text',
    check: branchLists,
  },
  tag: { short: 'li', shortMaybe: 'n', long: [...REF_LONG, 'list'], operands: 'text', check: tagLists },
  remote: { short: 'v', long: ['verbose', 'all', 'push'], operands: 'text', check: remoteReads },
  stash: {
    ...LOGGING,
    long: [...DIFF_LONG, ...LOG_LONG, 'include-untracked', 'only-untracked'],
    operands: 'text',
    verb: true,
    check: stashReads,
  },
  worktree: { short: 'vz', long: ['porcelain', 'verbose'], operands: 'text', check: only('list') },
  notes: { operands: 'text', check: only('list', 'show') },
  config: {
    short: 'l',
    long: ['get', 'get-all', 'list', 'name-only', 'local', 'global', 'show-origin', 'type='],
    operands: 'text',
    check: configReads,
  },
  'symbolic-ref': { short: 'q', long: ['short', 'quiet'], operands: 'text', least: 1, most: 1 },
  'check-ignore': {
    short: 'qvnz',
    long: ['quiet', 'verbose', 'non-matching', 'no-index'],
    operands: 'names',
    least: 1,
  },
  'check-attr': { short: 'az', long: ['all', 'cached'], operands: 'names', least: 1 },
  'check-ref-format': { long: ['branch', 'normalize', 'allow-onelevel'], operands: 'text', least: 1 },
  'count-objects': { short: 'vH', long: ['verbose', 'human-readable'], operands: 'none' },
  fsck: {
    short: 'v',
    long: 'unreachable dangling no-dangling root tags cache no-reflogs full no-full connectivity-only strict verbose progress no-progress name-objects references no-references'.split(
      ' ',
    ),
    operands: 'paths',
  },
  help: {
    short: 'agmv',
    long: ['all', 'guides', 'man', 'verbose', 'no-verbose'],
    operands: 'text',
    most: 1,
    check: helpShows,
  },
  cherry: { short: 'v', operands: 'paths' },
  'range-diff': {
    short: DIFF_SHORT,
    long: [...DIFF_LONG, 'no-dual-color', 'creation-factor='],
    operands: 'paths',
    least: 1,
  },
  version: { long: ['build-options'], operands: 'none' },
};

const FORMATS = new Set('oneline short medium full fuller reference email mboxrd raw'.split(' '));

/** Options whose value is a format, or the name of a field of one. */
const FORMATTING: ReadonlySet<string> = new Set(['format', 'pretty', 'group', 'sort']);

/**
 * `%G…` and `%(signature)` run gpg, whatever option takes the format, and also where they only sort. A name that is no built-in one is
 * looked up in the configuration. Merging again to show a merge writes objects.
 */
function tameFormat({ options }: ParsedArguments): string | null {
  for (const [name, values] of options)
    if (values.some((value) => /%[-+ ]?G/.test(value) || (FORMATTING.has(name) && value.includes('signature'))))
      return `--${name} makes git run gpg`;
  if (options.get('diff-merges')?.some((form) => form.startsWith('r')) === true)
    return 'git writes what it merges again';
  const formats = ['format', 'pretty', 'group'].flatMap((name) => options.get(name) ?? []);
  if (formats.some(asksForMuch)) return 'git may print without end';
  const groups = options.get('group') ?? [];
  const named = formats.find((format) => !groups.includes(format) && isNamed(format));
  return named === undefined ? null : `the format ${named} comes from the configuration`;
}

function isNamed(format: string): boolean {
  return format !== '' && !FORMATS.has(format) && !/^t?format:/.test(format) && !format.includes('%');
}

/** The page of one command, as text: other forms open a browser. */
function helpShows({ operands }: ParsedArguments): string | null {
  return operands.every(({ text }) => /^[a-z][a-z-]*$/.test(text)) ? null : 'git help is given no plain name';
}

function reflogReads(given: ParsedArguments): string | null {
  const word = given.operands[0]?.text;
  return /^(?:expire|delete|drop|write)$/.test(word ?? '') ? `git reflog ${word} changes history` : tameFormat(given);
}

/** With a name and no list option, git makes a branch. */
function branchLists(given: ParsedArguments): string | null {
  return given.operands.length === 0 || lists(given) ? tameFormat(given) : 'git branch NAME makes a branch';
}

/** Options that turn names into patterns. */
function lists({ options }: ParsedArguments): boolean {
  return ['list', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at'].some((name) => options.has(name));
}

function tagLists(given: ParsedArguments): string | null {
  return given.operands.length === 0 || given.options.has('l') || lists(given)
    ? tameFormat(given)
    : 'git tag NAME makes a tag';
}

function remoteReads({ operands }: ParsedArguments): string | null {
  if (operands.length === 0) return null;
  return operands[0]?.text === 'get-url' && operands.length === 2 ? null : 'git remote would change or ask the remote';
}

function stashReads(given: ParsedArguments): string | null {
  const word = given.operands[0]?.text;
  return word === 'list' || word === 'show' ? tameFormat(given) : 'git stash changes the working tree';
}

function only(...words: ReadonlyArray<string>): (given: ParsedArguments) => string | null {
  return ({ operands }) => (words.includes(operands[0]?.text ?? '') ? null : 'this form changes the repository');
}

const READABLE_KEYS =
  /^(?:user\.(?:name|email)|core\.\w+|init\.defaultbranch|branch\.[\w./-]+\.(?:remote|merge)|remote\.[\w-]+\.(?:url|fetch)|pull\.\w+|push\.\w+)$/i;

/** One key that holds no secret; two operands would set it. Of all of them only the names: headers and addresses hold passwords. */
function configReads({ operands, options }: ParsedArguments): string | null {
  if (options.has('list') || options.has('l'))
    return options.has('name-only') && operands.length === 0
      ? null
      : 'the values of all settings may hold passwords, which --name-only leaves out';
  const key = operands.at(-1)?.text ?? '';
  const get = operands.length === 2 && operands[0]?.text === 'get';
  return (operands.length === 1 || get) && READABLE_KEYS.test(key)
    ? null
    : 'git config would change or show more than one plain key';
}
