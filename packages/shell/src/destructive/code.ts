import { sensitiveKind } from '@attractor/redact';
import { namesSecretFile } from '../secret-names.ts';
import type { ExpandedWord } from '../words.ts';
import { givesLastingAccess } from './lasting-access.ts';
import { isCode } from './secrets.ts';

/** Why code that a program is given as text is hostile, in whatever language; null if that is not visible. */
export function isHostileCode(name: string, words: ReadonlyArray<ExpandedWord>): string | null {
  const interprets = isCode(name) || name === 'deno';
  if (!interprets && !holdsCommands(name, words)) return null;
  const code = words.map(({ text }) => text).join(interprets ? '\n' : ' ');
  if (REMOVES.some((pattern) => pattern.test(code))) return 'destroys the machine or the home folder';
  if (/\/inet6?\/(?:tcp|udp)\//.test(code) && /getline|system/.test(code)) return REMOTE_SHELL;
  if (!interprets) return null;
  if (CONNECTS.test(code) && STARTS.test(code)) return REMOTE_SHELL;
  if (FORKS.some((pattern) => pattern.test(code))) return 'exhausts the machine';
  if (TALKS.test(code) && givesSecrets(code)) return 'sends credentials to the network';
  if (TALKS.test(code) && isApproval(code)) return "turns off the agent's own guard";
  return WRITES.test(code) && quoted(code).some(givesLastingAccess)
    ? 'opens a lasting door: another program obeys this file'
    : null;
}

/** An address on this machine that answers the agent's own questions. */
export function isApproval(text: string): boolean {
  return (
    LOCAL.test(text) && /approv|permission|\/prompts?\b|polic(?:y|ies)|trust|\banswer|decision|\ballow\b/i.test(text)
  );
}

const LOCAL = /localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0|(?:^|\s):\d{2,5}\/|--unix-socket/;
const REMOTE_SHELL = 'opens a lasting door: a remote shell';

/** Programs that run text from their words. */
const HOLDERS: ReadonlySet<string> = new Set(
  'awk gawk mawk nawk sed gsed vim vi nvim ex view emacs ed make gmake ssh docker podman kubectl npx npm pnpm yarn bunx expect gdb lldb tmux screen entr at batch m4 tclsh gnuplot'.split(
    ' ',
  ),
);
const GIT_RUNS = /^(?:-c|-c.*=.*|rebase|submodule|config|bisect|filter-branch|difftool|mergetool)$/;

function holdsCommands(name: string, words: ReadonlyArray<ExpandedWord>): boolean {
  return HOLDERS.has(name) || (name === 'git' && words.some(({ text }) => GIT_RUNS.test(text)) && !isCommit(words));
}

function isCommit(words: ReadonlyArray<ExpandedWord>): boolean {
  return words.some(({ text }) => text === 'commit' || text === 'tag' || text === 'notes');
}

const PLACE = String.raw`(?:\/|~|\$HOME|\/(?:home|etc|usr|root|Users|var|bin|lib|boot)\/?)`;
const REMOVES: ReadonlyArray<RegExp> = [
  new RegExp(String.raw`\brm\s+-[a-z]*r[a-z]*\s+(?:-\S+\s+)*${PLACE}\*?(?:["'\`)\s;]|$)`),
  new RegExp(String.raw`(?:rmtree|rmSync|rm_rf?|removeSync|rimraf|remove_tree)\(?\s*["']${PLACE}["']`),
  new RegExp(String.raw`["']rm["']\s*,\s*\[?\s*["']-[a-z]*r[a-z]*["']\s*,\s*["']${PLACE}["']`),
  new RegExp(String.raw`\bunlink\b[\s(]*(?:glob\b)?[\s(]*["'<]${PLACE}\*`),
  /(?:rmtree|rmSync|rm_rf?)\(\s*(?:\w+\.)*(?:expanduser\(\s*["']~["']|homedir\(|require\(["']os["']\)\.homedir\(|Path\.home\(|Dir\.home)/,
];

const CONNECTS = /\bsocket\b|fsockopen|TCPSocket|net(?:["']\))?\.(?:connect|createConnection|Socket)|use Socket/i;
const STARTS = /subprocess|pty\.spawn|dup2|\bexec|\/bin\/(?:ba|z|da)?sh|child_process|os\.execute/;

const FORKS: ReadonlyArray<RegExp> = [
  /fork\s+while\s+(?:fork|1)|while\s*(?:\(?\s*1\s*\)?|true)\s*[:{]?[^]*\bfork["')]*\(/i,
  /loop\s*(?:\{|do)\s*fork|fork\(\)\s+for\s+\w+\s+in\s+(?:iter|itertools)/,
];

const TALKS =
  /requests\.|urllib|urlopen|http\.client|httpx|aiohttp|\bfetch\(|axios|https?["']\)\.(?:get|request)|Net::HTTP|LWP|(?:file_get_contents|fopen|curl_init)\(\s*["']https?:|open-uri|smtplib|ftplib/;

/** A file with secrets, the whole environment, or a variable whose name suggests a secret. */
function givesSecrets(code: string): boolean {
  if (quoted(code).some((text) => !/^https?:/.test(text) && namesSecretFile(text))) return true;
  if (
    /JSON\.stringify\(process\.env\)|(?:str|dict|dumps|urlencode)\(\s*(?:dict\(\s*)?os\.environ\s*\)|ENV\.to_h/.test(
      code,
    )
  )
    return true;
  return [
    ...code.matchAll(
      /(?:process\.env\.|process\.env\[["']|\bENV[{[]["']?|environ(?:\.get\(|\[)["']|getenv\(["'])(\w+)/g,
    ),
  ].some(([, variable]) => variable !== undefined && sensitiveKind(variable) !== null);
}

const WRITES = /["'],\s*["'](?:w|a|x|wb|ab|w\+|a\+)["']|write|append|unlink|rename|remove|chmod|rmSync|copy|symlink/i;

function quoted(code: string): ReadonlyArray<string> {
  return [...code.matchAll(/["'`]([^"'`\n]+)["'`]/g)].map(([, text]) => text ?? '');
}
