import { sensitiveKind } from '../../../redact/sensitive-names.ts';
import type { Facts } from '../draft.ts';
import { namesSecretFile } from '../secret-names.ts';
import type { Spoken } from '../words.ts';

/** What a command brings in or takes out. `source` is the text as written: it still has the names of variables. */
export function factsOf(name: string, words: ReadonlyArray<Spoken>, source: string): Facts {
  const network =
    NETWORK.has(name) ||
    (source.includes('/dev/') && /\/dev\/(?:tcp|udp)\//.test(source)) ||
    (name === 'openssl' && /s_client/.test(source)) ||
    isRemote(name, words);
  return {
    network,
    fetches: FETCHERS.has(name) || (name === 'gh' && /\bapi\b|gist view/.test(source)),
    secret: ENVIRONMENT.has(name) ? dumps(name, words) : hasSecretVariable(source) || carries(name, words),
    interprets: runsCode(name) && readsItsProgram(name, words),
  };
}

export function isInterpreter(name: string): boolean {
  return runsCode(name) || name === 'eval' || name === 'source' || name === '.' || name === 'exec';
}

/** An address on this machine that answers the agent's own questions. */
export function answersApproval(name: string, source: string): boolean {
  return (
    NETWORK.has(name) &&
    /(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0)/.test(source) &&
    /approv|permission|\/prompts?\b|polic(?:y|ies)|trust|\banswer|decision|\ballow\b/i.test(source)
  );
}

const NETWORK: ReadonlySet<string> = new Set(
  'curl wget http https xh httpie nc ncat netcat socat telnet ssh scp sftp rsync ftp lftp tftp dig nslookup host drill ping ping6 traceroute mail mailx sendmail mutt aws gsutil gcloud az rclone s3cmd gh glab websocat aria2c axel whois finger'.split(
    ' ',
  ),
);
const FETCHERS: ReadonlySet<string> = new Set(
  'curl wget http https xh aria2c axel fetch lwp-request lynx nc ncat netcat ftp tftp scp'.split(' '),
);
const ENVIRONMENT: ReadonlySet<string> = new Set([
  'env',
  'printenv',
  'set',
  'export',
  'declare',
  'typeset',
  'history',
  'compgen',
]);
const INTERPRETERS: ReadonlySet<string> = new Set(
  'sh bash zsh dash ksh mksh ash csh tcsh fish perl ruby node nodejs php lua osascript pwsh deno bun tclsh'.split(' '),
);

function runsCode(name: string): boolean {
  return INTERPRETERS.has(name) || (name.startsWith('python') && /^python[\d.]*$/.test(name));
}

/** Remote shells of copying programs. */
function isRemote(name: string, words: ReadonlyArray<Spoken>): boolean {
  return name === 'git' && words.some(({ text }) => text === 'push' || text === 'send-email');
}

/** Without arguments, or told to print, they give out everything. */
function dumps(name: string, words: ReadonlyArray<Spoken>): boolean {
  if (name === 'env') return words.every(({ text }) => text.startsWith('-'));
  if (name === 'printenv' || name === 'history') return true;
  return words.every(({ text }) => /^-[px]+$/.test(text));
}

const PLAIN_VARIABLES: ReadonlySet<string> = new Set('HOME PATH PWD USER SHELL IFS PPID UID'.split(' '));

function hasSecretVariable(source: string): boolean {
  if (!source.includes('$')) return false;
  for (const [, name] of source.matchAll(/\$\{?[!#]?([A-Za-z_]\w*)/g))
    if (name !== undefined && !PLAIN_VARIABLES.has(name) && sensitiveKind(name) !== null) return true;
  return false;
}

const KEY_OPTIONS = /^(?:-i|-E|--cert|--key|--cacert|--capath|--ca-certificate|--certificate|--private-key)$/;
const QUIET: ReadonlySet<string> = new Set([
  'ls',
  'test',
  '[',
  'rm',
  'stat',
  'git',
  'echo',
  'printf',
  'chmod',
  'touch',
  'mkdir',
]);

/** Names a file with secrets, other than the key that it signs in with or an address. */
function carries(name: string, words: ReadonlyArray<Spoken>): boolean {
  if (QUIET.has(name)) return false;
  return words.some(
    ({ text }, at) =>
      namesSecretFile(text) && !KEY_OPTIONS.test(words[at - 1]?.text ?? '') && !/^[a-z]+:\/\//.test(text),
  );
}

/** No script, no `-c`: what comes in is run. `-i` and `-s` say so. */
function readsItsProgram(name: string, words: ReadonlyArray<Spoken>): boolean {
  if (words.some(({ text }) => /^-(?:[a-z]*[is]|)$/.test(text)) && name.endsWith('sh')) return true;
  return words.every(({ text }) => text.startsWith('-') && !/^-(?:c|e|m|r|p|-eval|-print|V|v|-version)/.test(text));
}

/** Code that is given to an interpreter as text. */
export function isHostileCode(name: string, words: ReadonlyArray<Spoken>): string | null {
  if (!runsCode(name)) return null;
  const code = words.map(({ text }) => text).join('\n');
  if (
    /\bsocket\b|fsockopen|TCPSocket|net\.connect|use Socket/i.test(code) &&
    /subprocess|pty\.spawn|dup2|\bexec|\/bin\/(?:ba|z|da)?sh|child_process/.test(code)
  )
    return 'opens a lasting door: a remote shell';
  if (/fork\s+while\s+fork|while\s*(?:\(?\s*1\s*\)?|true)\s*[:{]?[^]*\bfork\(/i.test(code))
    return 'exhausts the machine';
  if (
    /\brm\s+-[a-z]*r[a-z]*\s+(?:-\S+\s+)*(?:\/|~|\$HOME)\*?(?:["'`)\s;]|$)/.test(code) ||
    /rmtree\(\s*["'](?:\/|~)["']|rmSync\(\s*["']\/["']|rm_rf\(?\s*["']\/["']/.test(code)
  )
    return 'destroys the machine or the home folder';
  return null;
}
