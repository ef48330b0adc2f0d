import type { Traced } from '@attractor/confine/testing';

/**
 * Whether all programs of a command can be read with. Told by their names alone, roughly, and apart from the tables that judge. Not here:
 * what waits, what names places outside the project, and lines that are only a part of a command.
 */
export function isCandidate(command: string): boolean {
  if (WAITS.test(command) || ELSEWHERE.test(command) || PART.test(command)) return false;
  const calls = command
    .split(/\|\|?|&&?|;|\$\(|`|<\(|[(){}]/)
    .map((part) => /^\s*(?:\w+=\S*\s+)*(\S+)(?:\s+(\S+))?/.exec(part))
    .filter((call) => call !== null && !/^[^\w[]/.test(call[1] ?? ''));
  return (
    calls.length > 0 &&
    calls.every((call) => {
      const [, name = '', first = ''] = call ?? [];
      return PROGRAMS.has(name) || (RUNTIMES.has(name) && /^(?:-v|-V|--version|version)$/.test(first));
    })
  );
}

const WAITS = /\b(?:sleep|watch|read|yes|top)\b|\s(?:-f|-F|--follow)\b|\b(?:vmstat|iostat)\s+\d/;
const ELSEWHERE = /(?:^|[\s=<:'"])(?:~|\.\.(?:\/|\s|$)|\/(?!dev\/null))/;
const PART = /[\\|&]$|^(?:if|for|while|until|case)\b/;

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
    'hash echo printf true false test [ [[ seq expr bc dc factor numfmt shuf date cal ncal id whoami groups logname users who w uname arch',
    'hostname uptime ps pgrep pidof pstree free lsblk lscpu lsmod lspci nproc getconf locale tty env printenv tree jq yq xmllint git zcat',
    'bzcat xzcat gunzip gzip bzip2 xz zipinfo unzip tar ar nm objdump readelf ldd size cd pushd popd dirs set shopt ulimit umask time xargs',
    'getent iconv',
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
