import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

/**
 * A second reader of shell commands that shares no code with the first: another parser, and rules that only forbid.
 * It looks at what was allowed and answers what it objects to. It may be stricter or laxer in what it knows, but what it
 * objects to must never have been allowed.
 */
export function createSecondOpinion(root: string): (command: string) => string | null {
  const require = createRequire(import.meta.url);
  const { syntax }: { readonly syntax: Syntax } = require('mvdan-sh');
  return (command) => {
    const bytes = Buffer.from(command);
    const say = (node: Node): string => bytes.subarray(node.Pos().Offset(), node.End().Offset()).toString();
    try {
      const objections: string[] = [];
      const variables = new Set(HARMLESS_VARIABLES);
      syntax.Walk(syntax.NewParser().Parse(command, 'command'), (node) => {
        if (node !== null) objections.push(...object(syntax.NodeType(node), { node, say, root, variables }));
        return true;
      });
      return objections[0] ?? null;
    } catch (error) {
      return isRefusedByBash(command) ? null : `does not parse: ${String(error)}`;
    }
  };
}

/** What bash itself takes for no command at all runs nothing, whoever allowed it. */
function isRefusedByBash(command: string): boolean {
  return spawnSync('/bin/bash', ['-n', '-c', command], { env: {} }).status !== 0;
}

type Node = {
  readonly Pos: () => { readonly Offset: () => number };
  readonly End: () => { readonly Offset: () => number };
  readonly Args?: ReadonlyArray<Node>;
  readonly Assigns?: ReadonlyArray<Node>;
};

type Syntax = {
  readonly NewParser: () => { readonly Parse: (source: string, name: string) => Node };
  readonly Walk: (node: Node, visit: (node: Node | null) => boolean) => void;
  readonly NodeType: (node: Node) => string;
};

type Sight = {
  readonly node: Node;
  readonly say: (node: Node) => string;
  readonly root: string;
  readonly variables: Set<string>;
};

const HARMLESS_VARIABLES = [
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
const FORBIDDEN_NODES =
  /^(?:CmdSubst|ProcSubst|ArithmCmd|FuncDecl|CoprocClause|LetClause|DeclClause|WhileClause|CStyleLoop|ExtGlob|ArrayExpr|TestDecl)$/;
const HARMLESS_ASSIGNMENT =
  /^(?:LC_\w+|LANG|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|CI|NODE_ENV|TERM)=[\w./@+-]*$/;

function object(type: string, sight: Sight): ReadonlyArray<string> {
  const text = sight.say(sight.node);
  if (FORBIDDEN_NODES.test(type)) return [`${type}: ${text}`];
  if (type === 'WordIter') sight.variables.add(/^\w+/.exec(text)?.[0] ?? '');
  if (type === 'ParamExp')
    return sight.variables.has(/^\$\{?([\w?#]+)\}?$/.exec(text)?.[1] ?? '') ? [] : [`expands ${text}`];
  if (type === 'ArithmExp') return /[A-Za-z$`[]/.test(text.slice(1)) ? [`evaluates ${text}`] : [];
  if (type === 'Redirect') return objectToRedirect(text, sight.root);
  return type === 'CallExpr' ? objectToCall(sight) : [];
}

function objectToRedirect(text: string, root: string): ReadonlyArray<string> {
  if (/^\d*<<-?/.test(text) || /^\d*[<>]&\s*(?:\d+-?|-)$/.test(text)) return [];
  if (/^(?:\d*<?>>?|\d*>\||&>>?)\s*\/dev\/null$/.test(unquote(text))) return [];
  const read = /^\d*<\s*([^<>&\s].*)$/s.exec(text)?.[1];
  if (read === undefined) return [`redirects ${text}`];
  return isOutside(unquote(read), root) || isSecret(unquote(read)) ? [`reads ${text}`] : [];
}

/** Names that may run at all, with what makes each of them more than a reader. */
const CALLS: Readonly<Record<string, RegExp | null>> = {
  ...allow(
    'ls cat tac rev head nl wc cut paste join comm cmp diff diff3 tr fold fmt expand unexpand column pr strings od hexdump hd base64 base32 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum stat du df readlink realpath grep egrep fgrep',
    null,
  ),
  ...allow(
    'pwd whoami id groups logname uname arch nproc uptime lscpu tty cal which type true false : factor basename dirname locale getconf numfmt cd pushd zcat zipinfo',
    null,
  ),
  ...allow('node nodejs python python3 perl ruby bash make cmake gcc g++ clang cc', /^(?!(?:--version|-v|-V)$)/),
  ...allow('test [', /^-[vR]$/),
  ...allow(
    'awk gawk mawk nawk',
    /system|getline|(?<!\|)\|(?!\|)|>>|\bclose\b|ENVIRON|@(?:include|load|\w+\()|^-(?!F|-$)/,
  ),
  ...allow('timeout time nice stdbuf builtin', /^-o.|^--output/),
  command: null,
  echo: null,
  expr: null,
  date: /^(?:-s|--set|\d)/,
  hostname: /^[^-]|^-[Fb]/,
  free: /^-s/,
  seq: null,
  sleep: /inf|^\d{3}|[mhd]$/,
  printf: /^-v/,
  tail: /^-[a-zA-Z]*[fF]|^--f/,
  sort: /^-[^-kSt]*[oT]|^--(?:o|c[^h]|f|t|r[^e])/,
  uniq: /^--o/,
  xxd: /^-[a-z]*r/,
  file: /^-[a-zA-Z]*[Cmfz]/,
  tree: /^-[a-zA-Z]*[oRHl]$/,
  rg: /^--(?:pre|host|search-z|follow)|^-[^-ABCdefgjmMrtTE]*[zL]/,
  ...allow('fd fdfind', /^-[HIsiupag0q1hF]*[xXLl]|^--exec/),
  find: /^-(?:exec|ok|delete|fprint|fls|files0|L$|H$|D$)/,
  sed: /^-[a-zA-Z]*[if]|^--(?:in|f)|(?:^|[;{}\d$/!,])\s*[weWrRaic](?:\s|$)|(?:^|[;{])\s*s(.).*\1[gpiI\d]*[we]/,
  jq: /\$ENV|(?<![.\w/])env\b(?!\s*:)|\b(?:import|include|input_filename|repeat|range|def)\b|^-[a-zA-Z]*[fL]|^--(?:from|slurpf|rawf|arg)/,
  tar: /^--(?:to-|check|use-|rsh|info|ext|get|cr|app|up|con|del)|^-[^-f]*[xcruAIF]/,
  unzip: /^-[a-zA-Z]*[opfux]/,
  git: /^--(?:outp|ext-|textc|open|upl|rec|exec|show-sig|no-ind|filt|git-d|work-t|config|pagin|namesp|edit)|^-O|^(?:-.*|t?format:.*)?%[-+ ]?G/,
};

const GIT_READS =
  /^(?:status|diff|diff-tree|diff-index|diff-files|log|show|whatchanged|reflog|rev-list|shortlog|blame|annotate|grep|ls-files|ls-tree|cat-file|rev-parse|merge-base|describe|name-rev|show-ref|show-branch|for-each-ref|branch|tag|remote|stash|worktree|notes|bisect|config|symbolic-ref|check-ignore|check-attr|check-ref-format|count-objects|cherry|range-diff|version|--version)$/;

/** Words of these are text, not paths. */
const TEXTS =
  /^(?:echo|printf|expr|basename|dirname|tr|seq|test|\[|type|which|date|git|find|true|false|:|command|numfmt|column|cut|paste|cal|id|groups)$/;

/** These look at names and sizes only. */
const NAMES = /^(?:ls|stat|du|df|tree|readlink|realpath|cd|pushd)$/;

function allow(names: string, never: RegExp | null): Record<string, RegExp | null> {
  return Object.fromEntries(names.split(' ').map((name) => [name, never]));
}

function objectToCall({ node, say, root }: Sight): ReadonlyArray<string> {
  const assigns = [...(node.Assigns ?? [])].map(say).filter((text) => !HARMLESS_ASSIGNMENT.test(unquote(text)));
  const written = [...(node.Args ?? [])].map(say);
  if (written.length === 0) return assigns.map((text) => `sets ${text}`);
  const words = strip(written);
  const [name = '', ...rest] = words;
  const never = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  if (never === undefined) return [`runs ${name}`];
  const plain = rest.map(unquote);
  const { judged, operands } = sortWords(name, name === 'tar' ? withDashes(plain) : plain);
  const bad = judged.find((word) => never?.test(harmlessCut(name, word)) === true);
  const outside = (TEXTS.test(name) ? [] : operands).find(
    (word) => isOutside(word, root) || (!NAMES.test(name) && isSecret(word)),
  );
  const git =
    name === 'git'
      ? plain.find((word) => !/^--(?:no-pager|no-optional-locks|literal-pathspecs|no-replace-objects)$/.test(word))
      : undefined;
  return [
    ...assigns.map((text) => `sets ${text}`),
    ...(bad === undefined ? [] : [`${name} ${bad}`]),
    ...(outside === undefined ? [] : [`${name} reads ${outside}`]),
    ...(git === undefined || GIT_READS.test(git) ? [] : [`git ${git}`]),
  ];
}

/** A plain substitution changes the stream and nothing else, whatever letters stand between its slashes. */
const SUBSTITUTION = /(?<=^|[;{}])\s*s\/[^/\\\n]*\/[^/\\\n]*\/[gpI\d]*(?=$|[;}])/g;

/** In a jq string nothing is evaluated but `\(…)`, in an awk string nothing; without a slash a quote begins a string there. */
function hasStrings(name: string, program: string): boolean {
  return name === 'jq' || (name.endsWith('awk') && !program.includes('/'));
}

function harmlessCut(name: string, word: string): string {
  if (name === 'sed') return word.replaceAll(SUBSTITUTION, '');
  return hasStrings(name, word) ? withoutStrings(word) : word;
}

function withoutStrings(filter: string): string {
  return filter.replaceAll(/"[^"\\]*"/g, '""');
}

/** Options that take the next word, by each program's own manual; a letter may stand at the end of a cluster. */
const VALUES: Readonly<Record<string, RegExp>> = {
  ...values('sed', /^-[nErsuz]*[el]$|^--(?:expression|line-length)$/),
  ...values('awk gawk mawk nawk', /^-F$/),
  ...values('jq', /^--indent$/),
  ...values(
    'find',
    /^-(?:i?(?:name|path|wholename|lname|regex)|type|size|perm|user|group|mindepth|maxdepth|[acm](?:min|time))$/,
  ),
  ...values('uniq', /^-[a-zA-Z]*[fsw]$/),
  ...values('tar', /^-[^-f]*f$|^--file$/),
  ...values('file', /^-[a-zA-Z0]*[eFP]$/),
  ...values('sort', /^-[a-zA-Z]*[kSt]$/),
  ...values('ls', /^-[a-zA-Z1]*[ITw]$/),
  ...values('tree', /^-[a-zA-Z]*[LPI]$/),
  ...values('du', /^-[a-zA-Z0]*[dtB]$/),
  ...values('df', /^-[a-zA-Z]*[tBx]$/),
  ...values('stat', /^-[a-zA-Z]*c$/),
  ...values('diff', /^-[a-zA-Z]*[CUWIxF]$/),
  ...values('od', /^-[a-z]*[AjNt]$/),
  ...values('fold base64 base32', /^-[a-z]*w$/),
  ...values('strings', /^-[a-z]*[ent]$/),
  ...values('tac', /^-[br]*s$/),
  ...values('fd fdfind', /^-[a-zA-Z]*[tedEScj]$/),
  ...values('xxd', /^-[a-z]*[cgl]$/),
  ...values('head tail', /^-[qvz]*[nc]$|^--(?:lines|bytes)$/),
  ...values('rg', /^-[a-zA-Z]*[ABCdefgjmMrtTE]$/),
  ...values('grep egrep fgrep', /^-[a-zA-Z]*[ABCdDefm]$/),
};

/** Programs that are given a program or a pattern first, and what gives it instead. */
const GIVEN_FIRST: Readonly<Record<string, RegExp>> = {
  ...values('sed', /^-[nErsuz]*e|^--expression/),
  ...values('awk gawk mawk nawk jq fd fdfind', /^$/),
  ...values('grep egrep fgrep', /^-[^-ABCdDm]*[ef]|^--(?:regexp|file)/),
  ...values('rg', /^-[^-ABCdgjmMrtTE]*[ef]|^--(?:regexp|file|files|type-list)/),
};

function values(names: string, pattern: RegExp): Record<string, RegExp> {
  return Object.fromEntries(names.split(' ').map((name) => [name, pattern]));
}

/**
 * The words of a call, sorted as its program would: `judged` are options and programs, `operands` the names of files. A
 * pattern or a number that an option takes is neither. awk takes no option after its program.
 */
function sortWords(
  name: string,
  words: ReadonlyArray<string>,
): { readonly judged: ReadonlyArray<string>; readonly operands: ReadonlyArray<string> } {
  const takes = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
  const first = Object.hasOwn(GIVEN_FIRST, name) ? GIVEN_FIRST[name] : undefined;
  const runs = /^(?:sed|jq|[gmn]?awk)$/.test(name);
  if (name === 'test' || name === '[') return { judged: tested(words), operands: [] };
  if (runs && words.length === 1 && words[0] === '--version') return { judged: [], operands: [] };
  const judged: string[] = [];
  const operands: string[] = [];
  let ended = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (ended || !/^-./.test(word)) {
      operands.push(word);
      if (!ended && (first === undefined || !runs)) judged.push(word);
      if (name.endsWith('awk')) ended = true;
    } else if (word === '--') ended = true;
    else {
      judged.push(word);
      if (takes?.test(word) === true) at += 1;
      if (takes?.test(word) === true && name === 'sed' && /(?:e|expression)$/.test(word)) judged.push(words[at] ?? '');
      else if (name === 'sed') judged.push(/^(?:-[nErsuz]*e|--expression=)(.+)/s.exec(word)?.[1] ?? '');
    }
  }
  const needsFirst = first !== undefined && !words.some((word) => word !== '' && first.test(word));
  const program = needsFirst ? operands.splice(0, 1) : [];
  return { judged: runs ? [...judged, ...program] : judged, operands };
}

/** `tar tfv x` is `tar -tvf x`: without a dash every letter is an option. */
function withDashes([first = '', ...rest]: ReadonlyArray<string>): ReadonlyArray<string> {
  if (!/^[a-zA-Z]+$/.test(first)) return [first, ...rest];
  return [`-${first.replaceAll('f', '')}${first.includes('f') ? 'f' : ''}`, ...rest];
}

/** With two words the first is the test and the second what it is about: `test -f -R` looks for a file. */
function tested(words: ReadonlyArray<string>): ReadonlyArray<string> {
  const about = words.filter((word, at) => !(at === 0 && word === '!') && !(at === words.length - 1 && word === ']'));
  return about.length === 2 ? about.slice(0, 1) : about;
}

/** Takes off what only runs another command, roughly: up to the first word that is a name we know. */
function strip(words: ReadonlyArray<string>): ReadonlyArray<string> {
  const [name = '', ...rest] = words;
  if (
    !/^(?:timeout|time|nice|stdbuf|builtin|command)$/.test(name) ||
    (name === 'command' && /^-[vV]$/.test(rest[0] ?? ''))
  )
    return words;
  if (name === 'timeout') {
    const duration = rest.findIndex(
      (word, at) => !word.startsWith('-') && !/^(?:-[ks]|--signal|--kill-after)$/.test(rest[at - 1] ?? ''),
    );
    return duration < 0 || duration + 1 >= rest.length ? words : strip(rest.slice(duration + 1));
  }
  const next = rest.findIndex((word) => /^[a-z[:]/.test(word) && !/^\d/.test(word));
  return next < 0 ? words : strip(rest.slice(next));
}

/** What the shell makes of a word's quotes; expansions stay as they are written, since other rules look at those. */
function unquote(word: string): string {
  let text = '';
  for (let at = 0; at < word.length;) {
    const quoted = SHELL_QUOTES.exec(word.slice(at));
    const [all = word.charAt(at), ansi, single, double, escaped] = quoted ?? [];
    text += ansi ?? single ?? double?.replaceAll(/\\([$`"\\])/g, '$1') ?? escaped ?? all;
    at += all.length;
  }
  return text;
}

const SHELL_QUOTES = /^(?:\$'([^'\\]*)'|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^]))/;

function isOutside(word: string, root: string): boolean {
  return word !== '/dev/null' && word !== root && !word.startsWith(`${root}/`) && /^[/~]/.test(word);
}

function isSecret(word: string): boolean {
  return /(?:^|\/)\.env$|(?:^|\/)\.git(?:\/|$)|(?:^|\/)id_rsa|\.pem$/.test(word);
}
