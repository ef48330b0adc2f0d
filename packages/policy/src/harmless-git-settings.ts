/**
 * Git settings that a repository may have while reading stays reading: none of them names a program that a reading command runs, a file
 * outside, another repository or a format. Everything else asks, including what git may learn one day.
 */
export function isHarmlessSetting(key: string, value: string | null): boolean {
  const section = key.slice(0, key.indexOf('.'));
  const leaf = key.slice(key.lastIndexOf('.') + 1);
  const hasName = key.length > section.length + leaf.length + 1;
  const known = hasName ? NAMED[section] : PLAIN[section];
  if (known === undefined) return FOREIGN.has(section);
  if (known === 'all' || known.has(leaf)) return true;
  const shape = VALUES[hasName ? `${section}.*.${leaf}` : `${section}.${leaf}`];
  return shape !== undefined && value !== null && shape.test(value);
}

/** Sections of other programs, which git ignores. */
const FOREIGN: ReadonlySet<string> = new Set(
  'bugtraq cola forge gerrit gitflow github gitg gitlab gitreview hub jj magit oh-my-zsh review spice svn svn-remote vscode'.split(
    ' ',
  ),
);

type Keys = 'all' | ReadonlySet<string>;

const keys = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** `section.key`. */
const PLAIN: Readonly<Record<string, Keys | undefined>> = {
  add: 'all',
  advice: 'all',
  am: 'all',
  apply: 'all',
  author: 'all',
  blame: keys('blankboundary coloring date markignoredlines markunblamablelines showemail showroot'),
  branch: keys('autosetupmerge autosetuprebase'),
  checkout: 'all',
  clean: 'all',
  clone: 'all',
  color: 'all',
  column: 'all',
  commit: 'all',
  commitgraph: 'all',
  committer: 'all',
  core: keys(
    'abbrev autocrlf bare bigfilethreshold checkroundtripencoding checkstat commentchar commentstring commitgraph compression createobject deltabasecachelimit editor eol filemode filesreflocktimeout fscache fsmonitorhookversion fsync fsyncmethod fsyncobjectfiles hidedotfiles ignorecase ignorestat logallrefupdates longpaths loosecompression maxtreedepth multipackindex notesref packedgitlimit packedgitwindowsize packedrefstimeout pager precomposeunicode prefersymlinkrefs preloadindex protecthfs protectntfs quotepath repositoryformatversion safecrlf sharedrepository sparsecheckout sparsecheckoutcone splitindex sshcommand symlinks trustctime untrackedcache usereplacerefs warnambiguousrefs whitespace',
  ),
  credential: 'all',
  diff: keys(
    'algorithm autorefreshindex colormoved colormovedws context dirstat dstprefix guitool ignoresubmodules indentheuristic interhunkcontext mnemonicprefix noprefix relative renamelimit renames srcprefix statgraphwidth statnamewidth suppressblankempty tool wordregex wserrorhighlight',
  ),
  extensions: keys('compatobjectformat noop objectformat preciousobjects relativeworktrees worktreeconfig'),
  feature: 'all',
  fetch: 'all',
  format: keys('attach cc coverletter from headers numbered signoff subjectprefix suffix thread to useautobase'),
  gc: 'all',
  gpg: keys('format mintrustlevel'),
  grep: keys('column extendedregexp fullname linenumber patterntype threads'),
  gui: 'all',
  http: 'all',
  i18n: 'all',
  index: 'all',
  init: 'all',
  lfs: keys('repositoryformatversion'),
  log: keys('abbrevcommit date decorate excludedecoration follow graphcolors initialdecorationset mailmap showroot'),
  maintenance: 'all',
  merge: keys(
    'autostash branchdesc conflictstyle defaulttoupstream directoryrenames ff guitool log renamelimit renames renormalize stat suppressdest tool verbosity verifysignatures',
  ),
  notes: keys('displayref mergestrategy rewritemode rewriteref'),
  pack: 'all',
  protocol: 'all',
  pull: 'all',
  push: 'all',
  rebase: 'all',
  receive: 'all',
  remote: keys('pushdefault'),
  remotes: 'all',
  repack: 'all',
  rerere: 'all',
  revert: 'all',
  showbranch: 'all',
  sparse: 'all',
  splitindex: 'all',
  ssh: keys('variant'),
  stash: 'all',
  status: keys(
    'aheadbehind branch displaycommentprefix relativepaths renamelimit renames short showstash showuntrackedfiles',
  ),
  submodule: keys('active fetchjobs propagatebranches'),
  tag: keys('forcesignannotated gpgsign'),
  transfer: 'all',
  user: 'all',
  versionsort: 'all',
  worktree: 'all',
};

/** `section.name.key`. */
const NAMED: Readonly<Record<string, Keys | undefined>> = {
  advice: 'all',
  branch: 'all',
  color: 'all',
  credential: 'all',
  diff: keys('algorithm binary funcname wordregex xfuncname'),
  gc: 'all',
  http: 'all',
  lfs: keys('access locksverify'),
  maintenance: 'all',
  merge: keys('name recursive'),
  notes: 'all',
  pager: 'all',
  protocol: 'all',
  remote: keys(
    'fetch followremotehead gh-resolved glab-resolved mirror proxy proxyauthmethod prune prunetags push pushurl skipdefaultupdate skipfetchall tagopt url',
  ),
  submodule: keys('active branch fetchrecursesubmodules ignore url'),
  url: keys('insteadof pushinsteadof'),
};

/** Harmless with some values: git's own daemon, git's own formats, no order that asks gpg. */
const VALUES: Readonly<Record<string, RegExp | undefined>> = {
  'branch.sort': /^(?!.*signature)[\w:-]+$/i,
  'core.fsmonitor': /^(?:true|false)$/,
  'extensions.refstorage': /^(?:files|reftable)$/,
  'format.pretty': /^(?:oneline|short|medium|full|fuller|reference|email|mboxrd|raw)$/,
  'submodule.*.update': /^(?:checkout|rebase|merge|none)$/,
  'tag.sort': /^(?!.*signature)[\w:-]+$/i,
};
