import { once } from '@attractor/base';

/**
 * Whether a configuration that a command wrote for git names no program, no further file and no folder outside. Read by a grammar that is
 * narrower than git's, so that the two can't disagree: a line is empty, a comment, a heading that stands alone, or a key with a plain
 * value. Whatever else there is, is not harmless.
 *
 *   heading = "[" name "]" | "[" name ' "' text '"]'
 *   line    = key | key "=" value          value: no backslash, no quote inside, no control character
 */
export function isHarmlessConfig(text: string, isOwnFolder: (value: string) => boolean): boolean {
  let section = '';
  for (const line of text.split('\n')) {
    const plain = line.trim();
    if (plain === '' || /^[#;][^\p{Cc}]*$/u.test(plain)) continue;
    const heading = HEADING.exec(plain);
    if (heading !== null) {
      section = `${heading[1]?.toLowerCase()}${heading[2] === undefined ? '' : '.*'}`;
      continue;
    }
    const [, key = '', value = 'true'] = LINE.exec(plain) ?? [];
    const rule = harmless()[section]?.[key.toLowerCase()] ?? harmless()[section]?.['*'];
    if (key === '' || rule === undefined || !RULES[rule](value, isOwnFolder)) return false;
  }
  return true;
}

const HEADING = /^\[([\w.-]+)(?: "([^"\\\p{Cc}]*)")?\]$/u;
const LINE = /^([a-z][a-z\d-]*)(?:\s*=\s*([^\\"\p{Cc}]*))?$/iu;

type Rule = 'any' | 'address' | 'own';

const RULES: Readonly<Record<Rule, (value: string, isOwnFolder: (value: string) => boolean) => boolean>> = {
  any: () => true,
  /** Not one for which git would start a helper that the address names. */
  address: (value) => !/^[\w+.-]*::|^-/.test(value),
  own: (value, isOwnFolder) => isOwnFolder(value),
};

function all(names: string): Readonly<Record<string, Rule>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, 'any']));
}

const harmless = once((): Readonly<Record<string, Readonly<Record<string, Rule>>>> => ({
  core: {
    ...all(
      'repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf',
    ),
    ...all(
      'quotepath sharedrepository compression bigfilethreshold sparsecheckout sparsecheckoutcone commentchar abbrev',
    ),
    ...all('untrackedcache whitespace splitindex multipackindex commitgraph preloadindex warnambiguousrefs longpaths'),
    worktree: 'own',
  },
  user: all('name email useconfigonly'),
  author: all('name email'),
  committer: all('name email'),
  'remote.*': {
    ...all('fetch push tagopt prune prunetags mirror promisor partialclonefilter skipdefaultupdate'),
    url: 'address',
    pushurl: 'address',
  },
  'branch.*': all('remote merge rebase pushremote description autosetuprebase'),
  branch: all('autosetupmerge autosetuprebase sort'),
  'submodule.*': { ...all('active branch'), url: 'address' },
  submodule: all('active'),
  extensions: all('objectformat refstorage worktreeconfig partialclone preciousobjects noop'),
  init: all('defaultbranch'),
  pull: all('rebase ff'),
  push: all('default autosetupremote followtags'),
  fetch: all('prune prunetags parallel'),
  rebase: all('autosquash autostash updaterefs'),
  merge: all('ff conflictstyle log renames stat'),
  commit: all('gpgsign verbose cleanup status'),
  tag: all('gpgsign sort'),
  status: all('short branch showuntrackedfiles submodulesummary relativepaths'),
  log: all('date decorate abbrevcommit follow'),
  diff: all('algorithm renames context colormoved mnemonicprefix noprefix submodule wserrorhighlight'),
  color: { '*': 'any' },
  advice: { '*': 'any' },
  gc: all('auto autodetach pruneexpire reflogexpire reflogexpireunreachable autopacklimit'),
  maintenance: all('auto strategy'),
  index: all('version sparse threads'),
  pack: all('threads window depth windowmemory'),
  feature: all('manyfiles experimental'),
  rerere: all('enabled autoupdate'),
}));
