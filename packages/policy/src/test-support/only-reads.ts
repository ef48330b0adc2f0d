import type { Traced } from '@attractor/confine/testing';

/**
 * Whether a line is a command of its own whose programs can be read with. Told by names alone, roughly, and apart from the tables that
 * judge. Not here: what waits or reads from whoever types, what names places outside the project or needs variables of a script, what
 * would hide that it failed, and descriptions of options.
 */
export function isCandidate(command: string): boolean {
  if (NOT_ALONE.some((pattern) => pattern.test(command))) return false;
  const calls = command
    .split(/\|\|?|&&?|;|\$\(|`|<\(|[(){}]/)
    .map((part) => part.trim().replace(/^(?:\w+=\S*\s+|time\s+|command\s+)+/, ''))
    .filter((part) => /^[\w[]/.test(part));
  return calls.length > 0 && calls.every(isReader);
}

const NOT_ALONE = [
  /\b(?:sleep|watch|read|yes|top)\b|\s(?:-f|-F|--follow)\b|\b(?:vmstat|iostat)\s+\d/,
  /(?:^|[\s=<:'"])(?:~|\.\.(?:\/|\s|$)|\/(?!dev\/null))/,
  /(?:^|[|;&] *|\bxargs .*)\.\//,
  // A pipe as tables of documents write it.
  /\\ ?\|/,
  // What it prints would run; what it holds is kept for another line; a rule of make; a word that does nothing alone.
  /^["']?\$\(|^\w+=(?:"[^"]*"|'[^']*'|\S*)$|\$\(@|^\(?(?:command|test)\)?[ ;]*$/,
  // Prose that begins like a command.
  /^(?:less|more|free|look|sort|cut|join|find|file|date)(?: +(?!(?:src|docs|data|test|main|topic)\b)[A-Za-z[\]]+)+\.?$/,
  // Files with secrets, and a person's own folder: these are asked about on purpose.
  /(?:^|[\s/])\.env\b|\$\{?HOME\}?\//,
  /[\\|&]$|^(?:if|for|while|until|case)\b|<<(?!<)/,
  /\$(?!\(|\{?(?:HOME|PWD|USER|SHELL|PATH)\b|['"\s/|)]|$)/,
  /\|\| *(?:true|:|echo|printf|git|false)/,
  /\[[A-Z]+\]|\[-|\[ -|\.\.\.|<[\w -]+>|\[[a-z]+[ _-]?[a-z]*\]/,
  />\s*[^&/\s]|\s-(?:delete|exec\s+(?:rm|mv|cp|chmod|chown|lh)|i|i\.\w+)\b/,
];

/** They read what is typed where no file is named. */
const NEED_A_FILE = new Set(
  'cat head tail less more wc grep egrep fgrep sort uniq cut tr awk sed nl tac rev od jq strings xargs base64'.split(
    ' ',
  ),
);
const FILE = /(?:^|\s)(?!-)\S*(?:\w\.\w|[*/])|(?:^|\s)(?:src|docs|data|test|Makefile|LICENSE)(?=\s|$)|</;
const GIT_READS = new Set(
  'status log diff show branch tag remote rev-parse ls-files ls-tree blame shortlog describe grep reflog stash version --version help cat-file rev-list merge-base show-ref for-each-ref name-rev whatchanged count-objects'.split(
    ' ',
  ),
);

function namesFile(name: string, words: string): boolean {
  return FILE.test(words.replaceAll(/'[^']*'|"[^"]*"/g, "''")) || (name.endsWith('grep') && /\s-\w*[rR]/.test(words));
}

function isReader(part: string, at: number): boolean {
  const [name = '', first = '', ...rest] = part.split(/\s+/);
  if (RUNTIMES.has(name)) return /^(?:--version|version)$/.test(first) && rest.length === 0;
  if (name === 'git')
    return (
      GIT_READS.has(first) &&
      !(
        /^(?:branch|tag|remote|stash)$/.test(first) &&
        rest.some((word) => /^[\w"-]*[\w"]$/.test(word) && !/^-(?:a|r|v|vv|l|n)$|^--\w|^(?:list|show)$/.test(word))
      )
    );
  if (at === 0 && NEED_A_FILE.has(name) && !namesFile(name, part.slice(name.length))) return false;
  if (/^(?:test|\[)$/.test(name) && rest.length === 0 && (first === '' || first.startsWith('-'))) return false;
  if (/^(?:gzip|gunzip|bzip2|xz|unzip|tar|ar)$/.test(name))
    return /^-?[a-z]*(?:c|l|t|L|V)[a-z]*$|^--(?:list|version|help)$/.test(first) && !/^-?c[a-z]*f/.test(first);
  return PROGRAMS.has(name);
}

/** Whether a command did nothing but read when it was run: it ended well, wrote nothing, connected to nothing, started only readers. */
export function onlyReads(command: string, { calls, status }: Traced): boolean {
  const isFine = status === 0 || (status === 1 && /\b(?:[ef]?grep|diff|cmp|test)\b|\[/.test(command));
  return (
    isFine &&
    calls.every((call) => {
      if (call.kind === 'starts')
        return PROGRAMS.has(nameOf(call.path)) || RUNTIMES.has(nameOf(call.path)) || SELF.test(call.path);
      if (call.kind === 'opens')
        return !call.isWriting || /^\/dev\/(?:null|tty)$|\/\.git\/index\.lock$/.test(call.path);
      if (call.kind === 'changes') return call.call.includes('index.lock');
      return /^socket\(AF_(?:UNIX|NETLINK)|^(?:connect|sendto)\(.*(?:nscd|NETLINK|AF_UNIX)/.test(call.call);
    })
  );
}

/** The shell that runs the command, and the parts of git. */
const SELF = /^\/(?:usr\/)?bin\/bash$|\/git-core\//;

const PROGRAMS = new Set(
  [
    'cat head tail less more ls dir wc grep egrep fgrep zgrep rg ag find sort uniq cut tr awk gawk mawk sed nl tac rev od hexdump xxd hd',
    'strings file stat du df diff diff3 sdiff cmp comm join paste column fold fmt pr expand unexpand tsort look md5sum sha1sum sha224sum',
    'sha256sum sha384sum sha512sum cksum sum b2sum base64 base32 realpath readlink basename dirname pathchk pwd which whereis type command',
    'hash echo printf true false test [ [[ seq expr bc dc factor numfmt shuf date cal ncal id whoami groups logname uname arch',
    'hostname uptime ps free lsblk lscpu nproc getconf locale tty tree jq yq xmllint git zcat',
    'bzcat xzcat gunzip gzip bzip2 xz zipinfo unzip tar ar nm objdump readelf ldd size xargs',
    'cd pwd',
  ].flatMap((line) => line.split(' ')),
);
/** Only their versions are looked at. */
const RUNTIMES = new Set(
  'node npm npx yarn pnpm python python3 pip pip3 go cargo rustc java javac ruby gem perl php gcc g++ cc clang cmake make docker curl'.split(
    ' ',
  ),
);

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
