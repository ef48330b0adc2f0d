/** Tables of the second reader, from the manuals of bash and of each program; the first reader has its own. */

/** Variables of the shell that hold a plain text or number. */
export const HARMLESS_VARIABLES = [
  '?',
  '#',
  'HOME',
  'PWD',
  'OLDPWD',
  'PATH',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'TERM',
  'UID',
  'RANDOM',
  'SECONDS',
  'HOSTNAME',
  'TMPDIR',
];

/** Names that may run at all, with what makes each of them more than a reader. */
export const CALLS: Readonly<Record<string, RegExp | null>> = {
  ...allow(
    'ls dir cat tac rev head nl wc cut paste join comm cmp diff diff3 tr fold fmt expand unexpand column pr strings od hexdump hd base64 base32 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum stat du df readlink realpath grep egrep fgrep',
    null,
  ),
  ...allow(
    'iconv pwd whoami id groups logname uname arch nproc uptime lscpu tty cal which type true false : factor basename dirname locale getconf numfmt cd pushd zcat zipinfo tsort',
    null,
  ),
  ...allow('node nodejs python python3 perl ruby bash make cmake gcc g++ clang cc', /^(?!(?:--version|-v|-V)$)/),
  ...allow('test [', /^-[vR]$/),
  ...allow('awk gawk mawk nawk', /^-(?!F|v(?:$|[a-z])|-$)/),
  ...allow('timeout time nice stdbuf builtin', /^-o.|^--output/),
  ...allow('umask ulimit lsblk bc set read popd', null),
  ...allow('npm pip pip3 java javac docker gh curl openssl', /^(?!(?:--version|-v|-V|-version|version)$)/),
  ...allow('gzip gunzip xz zstd bzip2', /^-[a-z]*[ofSrTMvz0-9]|^--(?:o|f|r|rm)/),
  ps: /^[a-z]*e[a-z]*$/,
  command: null,
  echo: null,
  expr: null,
  date: /^(?:-s|--set|\d)/,
  hostname: /^[^-]|^-[Fb]/,
  free: /^-s/,
  seq: null,
  sleep: /inf|^\d{3}|[mhd]$/,
  printf: /^-v/,
  tail: /^[-+]\d*[bcl]?f|^-[qvz]*[fF]|^--f/,
  sort: /^-[^-kSt]*[oT]|^--(?:o|co|fil|t|random-sou)/,
  uniq: /^--o/,
  shuf: /^-[ez]*[ro]|^--(?:o|r)/,
  yq: /^-[a-zA-Z]*i|^--|\b(?:env|load|system|eval|input)\b/,
  xxd: /^-[a-z]*r/,
  file: /^-[a-zA-Z]*[Cmfz]/,
  tree: /^-[a-zA-Z]*[oRHl]$/,
  rg: /^--(?:pre|host|search-z|follow)|^-[^-ABCdefgjmMrtTE]*[zL]/,
  ...allow('fd fdfind', /^-[HIsiupag0q1hF]*[xXLl]|^--exec/),
  find: /^-(?:exec|ok|delete|fprint|fls|files0|L$|H$|D$)/,
  sed: /^-[nErsuzb]*[if]|^--(?:in|f)/,
  jq: /^-[a-zA-Z]*[fL]|^--(?:from|slurpf|rawf|args$|argf)/,
  tar: /^--(?:to-|check|use-|rsh|info|ext|get|cr|app|up|con|del)|^-[^-f]*[xcruAIF]/,
  unzip: /^-[a-zA-Z]*[opfux]/,
  git: /^--(?:outp|ext-|textc|open|upl|rec|exec|show-sig|no-ind|filt|git-dir=|work-tree=|config|pagin|namesp|edit)|^-O/,
};

export const GIT_READS =
  /^(?:status|diff|diff-tree|diff-index|diff-files|log|show|whatchanged|reflog|rev-list|shortlog|blame|annotate|grep|ls-files|ls-tree|cat-file|rev-parse|merge-base|describe|name-rev|show-ref|show-branch|for-each-ref|branch|tag|remote|stash|worktree|notes|fsck|help|config|symbolic-ref|check-ignore|check-attr|check-ref-format|count-objects|cherry|range-diff|version|--version)$/;

/** Their words are text, not paths. */
export const TEXTS =
  /^(?:echo|printf|expr|basename|dirname|tr|seq|test|\[|type|which|date|git|find|true|false|:|command|numfmt|column|cut|paste|cal|id|groups|getconf)$/;

/** These look at names and sizes only. */
export const NAMES = /^(?:ls|dir|stat|du|df|tree|readlink|realpath|cd|pushd)$/;

/** Options that take the next word, by each program's own manual; a letter may be at the end of a cluster. */
export const VALUES: Readonly<Record<string, RegExp>> = {
  ...values('sed', /^-[nErsuz]*[el]$|^--(?:expression|line-length)$/),
  ...values('awk gawk mawk nawk', /^-[Fv]$/),
  ...values('jq', /^--(?:indent|arg|argjson)$/),
  ...values(
    'find',
    /^-(?:i?(?:name|path|wholename|lname|regex)|type|size|perm|user|group|mindepth|maxdepth|[acm](?:min|time))$/,
  ),
  ...values('uniq', /^-[a-zA-Z]*[fsw]$|^--(?:skip-fields|skip-chars|check-chars)$/),
  ...values('tar', /^-[^-f]*f$|^--file$/),
  ...values('file', /^-[a-zA-Z0]*[eFP]$/),
  ...values('sort', /^-[a-zA-Z]*[kSt]$|^--(?:key|sort|buffer-size|field-separator|parallel|batch-size)$/),
  ...values(
    'ls',
    /^-[a-zA-Z1]*[ITw]$|^--(?:format|hide|ignore|indicator-style|quoting-style|sort|time|time-style|width)$/,
  ),
  ...values('tree', /^-[a-zA-Z]*[LPI]$|^--(?:charset|filelimit|sort)$/),
  ...values('du', /^-[a-zA-Z0]*[dtB]$|^--(?:max-depth|threshold|exclude|time-style)$/),
  ...values('df', /^-[a-zA-Z]*[tBx]$|^--(?:type|exclude-type)$/),
  ...values('stat', /^-[a-zA-Z]*c$|^--(?:format|printf)$/),
  ...values('diff', /^-[a-zA-Z]*[CUWIxF]$|^--(?:width|ignore-matching-lines|exclude)$/),
  ...values('od', /^-[a-z]*[AjNt]$|^--(?:address-radix|skip-bytes|read-bytes|format)$/),
  ...values('fold base64 base32', /^-[a-z]*w$|^--(?:width|wrap)$/),
  ...values('strings', /^-[a-z]*[ent]$|^--(?:bytes|radix|encoding)$/),
  ...values('nl', /^-p*[bdfhilnsvw]$/),
  ...values('pr', /^-[admtTfF]*[DhlNowW]$/),
  ...values('cut', /^-[nsz]*[bcdf]$|^--(?:bytes|characters|delimiter|fields|output-delimiter)$/),
  ...values('paste', /^-[sz]*d$/),
  ...values('join', /^-[iz]*[aejotv12]$/),
  ...values('cmp', /^-[bls]*[in]$/),
  ...values('fmt', /^-[cstu]*[wgp]$/),
  ...values('expand unexpand', /^-[ai]*t$/),
  ...values('column', /^-[txLneJ]*[csoNRHTWOidrp]$/),
  ...values('hexdump hd', /^-[bcCdovx]*[ens]$/),
  ...values('shuf', /^-[ez]*[in]$|^--(?:head-count|input-range)$/),
  ...values('shasum', /^-[bt]*a$/),
  ...values('tac', /^-[br]*s$|^--separator$/),
  ...values(
    'fd fdfind',
    /^-[a-zA-Z]*[tedEScj]$|^--(?:type|extension|exclude|(?:max|min|exact)-depth|size|changed-(?:within|before)|color|threads|max-results)$/,
  ),
  ...values('xxd', /^-[cgls]$/),
  ...values('head tail', /^-[qvz]*[nc]$|^--(?:lines|bytes)$/),
  ...values(
    'rg',
    /^-[a-zA-Z0.]*[ABCdefgjmMrtTE]$|^--(?:(?:after-|before-)?context|(?:field-)?(?:context|match)-separator|colors?|dfa-size-limit|encoding|engine|file|i?glob|ignore-file|max-(?:columns|count|depth|filesize)|path-separator|regex-size-limit|regexp|replace|sortr?|threads|type|type-not)$/,
  ),
  ...values(
    'grep egrep fgrep',
    /^-[a-zA-Z]*[ABCdDefm]$|^--(?:regexp|file|max-count|label|(?:after-|before-)?context|binary-files|exclude|exclude-dir|include)$/,
  ),
};

/** Programs whose first word is a program or a pattern, and the options that replace it. */
export const GIVEN_FIRST: Readonly<Record<string, RegExp>> = {
  ...values('sed', /^-[nErsuz]*e|^--expression/),
  ...values('awk gawk mawk nawk jq yq fd fdfind', /^$/),
  ...values('grep egrep fgrep', /^-[^-ABCdDm]*[ef]|^--(?:regexp|file)/),
  ...values('rg', /^-[^-ABCdgjmMrtTE]*[ef]|^--(?:regexp|file|files|type-list)/),
};

/** Programs that write to operands beyond this number, or do something else with them. */
export const MOST_OPERANDS: Readonly<Record<string, number>> = { uniq: 1, xxd: 1, hostname: 0, diff: 2, tr: 2 };

function values(names: string, pattern: RegExp): Record<string, RegExp> {
  return Object.fromEntries(names.split(' ').map((name) => [name, pattern]));
}

function allow(names: string, never: RegExp | null): Record<string, RegExp | null> {
  return Object.fromEntries(names.split(' ').map((name) => [name, never]));
}
