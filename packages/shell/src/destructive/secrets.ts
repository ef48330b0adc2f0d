import { sensitiveKind } from '@attractor/redact';
import type { Facts } from '../draft.ts';
import { namesSecretFile } from '../secret-names.ts';
import type { ExpandedWord } from '../words.ts';

/** What data a command brings in or sends out. `source` is the text as written: it still has the names of variables. */
export function factsOf(name: string, words: ReadonlyArray<ExpandedWord>, source: string): Facts {
  if (isSecretTool(name, words)) return { network: false, fetches: false, secret: true, interprets: false };
  const network =
    NETWORK.has(name) ||
    (source.includes('/dev/') && /\/dev\/(?:tcp|udp)\//.test(source)) ||
    (name === 'openssl' && /s_client/.test(source)) ||
    isRemote(name, words);
  return {
    network,
    fetches: FETCHERS.has(name) || (name === 'gh' && /\bapi\b|gist view/.test(source)),
    secret: ENVIRONMENT.has(name) ? dumps(name, words) : hasSecretVariable(source) || carries(name, words),
    interprets: readsItsProgram(name, words),
  };
}

export function isInterpreter(name: string): boolean {
  return isCode(name) || name.startsWith('$(') || name.startsWith('`') || RUNNING.has(name);
}

const RUNNING: ReadonlySet<string> = new Set(['eval', 'source', '.', 'exec']);
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

/** Whether it runs code in a programming language. */
export function isCode(name: string): boolean {
  return INTERPRETERS.has(name) || (name.startsWith('python') && /^python[\d.]*$/.test(name));
}

/** Remote shells of copying programs. */
function isRemote(name: string, words: ReadonlyArray<ExpandedWord>): boolean {
  return name === 'git' && words.some(({ text }) => text === 'push' || text === 'send-email');
}

/** Without arguments, or told to print, they print everything. */
function dumps(name: string, words: ReadonlyArray<ExpandedWord>): boolean {
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
function carries(name: string, words: ReadonlyArray<ExpandedWord>): boolean {
  if (QUIET.has(name)) return false;
  return words.some(
    ({ text }, at) =>
      namesSecretFile(text) && !KEY_OPTIONS.test(words[at - 1]?.text ?? '') && !/^[a-z]+:\/\//.test(text),
  );
}

/** Programs that print secrets from their stores, with the words that make them do so. */
const SECRET_TOOLS: Readonly<Record<string, RegExp>> = {
  aws: /^configure (?:get|export-credentials)|get-secret-value|get-session-token/,
  az: /get-access-token|keyvault secret/,
  bw: /^get /,
  doppler: /^secrets/,
  gcloud: /print-(?:access|identity)-token|secrets versions access/,
  gh: /^auth token/,
  git: /^(?:credential fill|config (?:.* )?(?:-l|--list|list)$)/,
  gpg: /--export-secret/,
  heroku: /^config/,
  kubectl: /\bget secrets?\b|config view/,
  op: /^(?:read|item get)/,
  pass: /^show /,
  'secret-tool': /^lookup/,
  security: /^(?:find-(?:generic|internet)-password|dump-keychain)/,
  vault: /^(?:kv get|read|token)/,
};
const TOOLS_BY_NAME: ReadonlyMap<string, RegExp> = new Map(Object.entries(SECRET_TOOLS));
const GIT_SHOWS: ReadonlySet<string> = new Set('show log diff cat-file blame grep'.split(' '));

function isSecretTool(name: string, words: ReadonlyArray<ExpandedWord>): boolean {
  const table = TOOLS_BY_NAME.get(name);
  if (table === undefined) return false;
  if (table.test(words.map(({ text }) => text).join(' '))) return true;
  return name === 'git' && GIT_SHOWS.has(words[0]?.text ?? '') && words.some(({ text }) => namesSecretFile(text));
}

/** No script, no `-c`: the input is run. `-i`, `-s` and a name for the input imply that. */
function readsItsProgram(name: string, words: ReadonlyArray<ExpandedWord>): boolean {
  if (name === 'source' || name === '.') return words[0]?.text === '/dev/stdin';
  if (!isCode(name)) return false;
  const first = words.find(({ text }) => !text.startsWith('-'))?.text;
  if (first === '/dev/stdin' || first === '/dev/fd/0' || first === '{}') return true;
  if (words.some(({ text }) => /^-(?:[a-z]*[is]|)$/.test(text)) && name.endsWith('sh')) return true;
  const option = name.endsWith('sh') ? /^-(?:[a-z]*c|-version)/ : /^-(?:c|e|m|r|p|-eval|-print|V|v|-version)/;
  return words.every(({ text }) => text.startsWith('-') && !option.test(text));
}
