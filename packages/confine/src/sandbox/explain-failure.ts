import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkUnprotected } from '../containment/path-rules.ts';
import { isInside } from '../containment/resolve.ts';
import type { RefusedRoute } from './network/judge-host.ts';
import type { Secrets } from './secrets.ts';
import { realOr } from './temporary-folders.ts';

/** How a command ended, and where it ran. */
export type CommandFailure = {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly signal?: string | undefined;
  readonly cwd: string;
};

/** What commands of a sandbox can touch. */
export type SandboxView = {
  readonly roots: ReadonlyArray<string>;
  readonly writable: ReadonlyArray<string>;
  readonly denyWrite: ReadonlyArray<string>;
  readonly secrets: () => Secrets;
  readonly home: string;
  readonly isConnected: boolean;
  /** The sandbox's own /tmp on the host. */
  readonly tmp: string;
  readonly refusals: ReadonlyArray<RefusedRoute>;
};

/**
 * One line for each thing that the sandbox kept a command from, with what would allow it. Only what is certain: a path that can't be
 * written or seen inside, a connection that was refused, a name that can't be resolved where there is no network. Where a message names
 * neither place nor address, the line says what commands can reach, and leaves it to the reader whether that was it.
 */
export function explainFailure(failure: CommandFailure, view: SandboxView): ReadonlyArray<string> {
  const refused = view.refusals.map(refusedLine);
  const lines = failure.exitCode === 0 ? [] : lastLines(failure);
  const explained = CAUSES.flatMap(({ says, explain, isOne, unnamed }) => {
    const said = lines.filter((line) => says.test(line));
    const found = said.flatMap((line) => explain({ line, ...view, ...failure }) ?? []);
    if (found.length === 0) return unnamed?.(said) ?? [];
    return isOne === true ? found.slice(0, 1) : found;
  });
  const notes = failure.signal === 'SIGXFSZ' ? [TOO_LARGE] : [];
  return [...new Set([...refused, ...explained, ...notes])].slice(0, MOST_NOTES);
}

const MOST_NOTES = 4;
const MOST_LINES = 200;
const LONGEST_LINE = 2_000;

/** Programs say at the end why they failed. */
function lastLines({ stdout, stderr }: CommandFailure): ReadonlyArray<string> {
  return [stderr, stdout].flatMap((text) =>
    text
      .slice(-(MOST_LINES * 200))
      .split('\n')
      .slice(-MOST_LINES)
      .map((line) => line.slice(0, LONGEST_LINE)),
  );
}

type Cause = {
  readonly says: RegExp;
  /** However often it is said, it is one cause. */
  readonly isOne?: true;
  readonly explain: (asked: SandboxView & CommandFailure & { readonly line: string }) => string | null;
  /** What to say if none of the lines that say so could be explained. */
  readonly unnamed?: (said: ReadonlyArray<string>) => string | null;
};

const TOO_LARGE = '[The sandbox: one file can have at most 768 MiB.]';

const CAUSES: ReadonlyArray<Cause> = [
  { says: /read-only file ?system|\bEROFS\b/i, explain: notWritable, unnamed: somewhereElse },
  {
    says: /could(?: not|n't) resolve|name resolution|EAI_AGAIN|ENOTFOUND|network is unreachable|ENETUNREACH|name or service not known|no address associated|nodename nor servname|failed to lookup address|dial tcp: lookup/i,
    explain: notConnected,
    isOne: true,
  },
  { says: /device or resource busy|\bEBUSY\b/i, explain: notReplaceable },
  {
    says: /ECONNREFUSED|connection refused|(?:can(?:not|'t)|could(?: not|n't)|failed to) connect/i,
    explain: notThisMachine,
    isOne: true,
    unnamed: someService,
  },
  {
    says: /no such file|ENOENT|permission denied|EACCES|can(?:not|'t) connect|could not (?:open|read|connect)|not found/i,
    explain: notVisible,
  },
  { says: /file too large|\bEFBIG\b/i, explain: () => TOO_LARGE },
];

const OWN = 'in your own settings';

function notWritable({ line, cwd, home, roots, writable, denyWrite }: Parameters<Cause['explain']>[0]): string | null {
  for (const at of pathsIn(line, { cwd, home })) {
    const named = denyWrite.find((folder) => isInside(realOr(folder), at));
    if (named !== undefined)
      return `[The sandbox: ${at} can’t be changed, because sandbox.filesystem.denyWrite names it.]`;
    if (roots.some((root) => isInside(root, at) && isProtectedIn(root, at))) return obeyedLine(at);
    if (![...roots, ...writable].some((folder) => isInside(folder, at)) && !/^\/(?:tmp|var\/tmp|dev)(?:\/|$)/.test(at))
      return `[The sandbox: ${at} can’t be changed, because it lies outside the workspace. To allow it, add its folder with --add-dir or to sandbox.filesystem.allowWrite ${OWN}.]`;
  }
  return null;
}

/** Nothing else inside is read-only, so it was the sandbox, or a place that is read-only outside too. */
function somewhereElse(said: ReadonlyArray<string>): string | null {
  if (said.length === 0) return null;
  return `[The sandbox: commands can change files in the workspace, in further folders and in /tmp. If this one meant another place, add that with --add-dir or to sandbox.filesystem.allowWrite ${OWN}.]`;
}

/** A file with a mount of its own can't be replaced. */
function notReplaceable({ line, cwd, home, roots }: Parameters<Cause['explain']>[0]): string | null {
  const kept = pathsIn(line, { cwd, home }).find(
    (at) => existsSync(at) && roots.some((root) => isInside(root, at) && isProtectedIn(root, at)),
  );
  return kept === undefined ? null : obeyedLine(kept);
}

function isProtectedIn(root: string, at: string): boolean {
  try {
    checkUnprotected(path.relative(root, at));
    return false;
  } catch {
    return true;
  }
}

function obeyedLine(at: string): string {
  return `[The sandbox: ${at} can’t be changed, because programs outside obey it. To allow it, add ${JSON.stringify(at)} to sandbox.filesystem.allowWrite ${OWN}.]`;
}

function notConnected({ stdout, stderr, isConnected }: Parameters<Cause['explain']>[0]): string | null {
  if (isConnected)
    return '[The sandbox: the network is reached only through the proxy in HTTP_PROXY and HTTPS_PROXY, which this program did not use.]';
  const host = HOSTS.flatMap((said) => said.exec(`${stderr}\n${stdout}`)?.[1] ?? [])[0];
  return `[The sandbox: commands have no network. To allow it, add ${host === undefined ? 'the domain' : JSON.stringify(host)} to sandbox.network.allowedDomains ${OWN}.]`;
}

const HOST = String.raw`((?:[a-z0-9-]+\.)+[a-z]{2,})\b`;
/** How programs name the host that they could not reach. */
const HOSTS: ReadonlyArray<RegExp> = [
  String.raw`(?:EAI_AGAIN|ENOTFOUND|resolve host:?|host address|lookup|Resolving) ['\u2018"]?`,
  String.raw`\w:\/\/(?:[^\s\/@]*@)?`,
  String.raw`host=['"]`,
].map((before) => new RegExp(before + HOST));

/** A service of the host: inside, its port is another one of the same number. */
function notThisMachine({ line }: Parameters<Cause['explain']>[0]): string | null {
  const [, one, other] = /(?:127\.0\.0\.1|localhost|\[?::1\]?)(?::|,? port )(\d{1,5})|port (\d{1,5})/i.exec(line) ?? [];
  const port = Number(one ?? other);
  if (!/127\.0\.0\.1|localhost|::1/.test(line) || !isListenedOn(port)) return null;
  return `[The sandbox: port ${port} of this machine is out of reach for commands. To allow it, name the command in sandbox.excludedCommands ${OWN}.]`;
}

/** Who names an address gets an answer about it, or has nobody listening there. */
function someService(said: ReadonlyArray<string>): string | null {
  const bare = said.filter((line) => /ECONNREFUSED|connection refused/i.test(line));
  if (bare.length === 0 || bare.some((line) => /\d+\.\d+\.\d+\.\d+|localhost|::1|port \d|:\d{2,5}\b/i.test(line)))
    return null;
  return `[The sandbox: services of this machine are out of reach for commands. If this one meant such a service, name the command in sandbox.excludedCommands ${OWN}.]`;
}

const LISTENING = '0A';

function isListenedOn(port: number): boolean {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return ['/proc/net/tcp', '/proc/net/tcp6'].some((file) => {
    if (!existsSync(file)) return false;
    const rows = readFileSync(file, 'utf8').split('\n');
    return rows.some((row) => {
      const [, local, , state] = row.trim().split(/\s+/);
      return state === LISTENING && local?.split(':')[1] === wanted;
    });
  });
}

function notVisible({ line, cwd, home, secrets, tmp, roots }: Parameters<Cause['explain']>[0]): string | null {
  const { hidden, stillRead } = secrets();
  for (const at of pathsIn(line, { cwd, home })) {
    if (roots.some((root) => isInside(root, at)) && !hidden.some((secret) => isInside(secret, at))) continue;
    const isSecret = hidden.some((secret) => isInside(secret, at)) && !stillRead.some((one) => isInside(one, at));
    if (isSecret)
      return `[The sandbox: ${at} holds secrets and is hidden from commands. A person can run this themselves, or name the command in sandbox.excludedCommands ${OWN}.]`;
    const [, below] = /^\/(?:var\/)?tmp\/(.*)/.exec(at) ?? [];
    if (below !== undefined && existsSync(at) && !existsSync(path.join(tmp, below)))
      return `[The sandbox: commands have a /tmp of their own. To let them read ${at}, add it to sandbox.filesystem.allowRead ${OWN}.]`;
    if (/^\/(?:var\/)?run\//.test(at) && existsSync(at))
      return `[The sandbox: ${at} is out of reach for commands, as all sockets of this machine. To allow it, name the command in sandbox.excludedCommands ${OWN}.]`;
  }
  return null;
}

type From = { readonly cwd: string; readonly home: string };

/** Names in quotes, words with a slash, and what stands before the message; as they really are. */
function pathsIn(line: string, { cwd, home }: From): ReadonlyArray<string> {
  const said = line.replace(/^\S*sh: (?:line \d+: )?/, '');
  const named = NAMED.flatMap((form) => [...said.matchAll(form)].map(([, name = '']) => name));
  return named.flatMap((name) => {
    if (name === '' || name.includes('://') || name.includes('\0')) return [];
    return [realPlace(path.resolve(cwd, name.replace(/^~(?=\/|$)/, home)))];
  });
}

const NAMED: ReadonlyArray<RegExp> = [
  /['"`\u2018\u201c]([^'"`\u2019\u201d]+)['"`\u2019\u201d]/g,
  /(?:unix:\/\/|(?<![\w/.~-]))((?:~|\.{0,2})\/[^\s:;,'"`\u2019\u201d()\]]+|\.[\w-]+\/[^\s:;,'"`()\]]*)/g,
  /([^\s:'"]+): (?:read-only file|no such file|permission denied)/gi,
];

/** Of what is not there, the real folder that it would be in. */
function realPlace(at: string): string {
  return existsSync(at) ? realOr(at) : path.join(realOr(path.dirname(at)), path.basename(at));
}

const REFUSED: Readonly<Record<RefusedRoute['why'], (host: string) => string>> = {
  unlisted: (host) =>
    `it is not among the allowed domains. To allow it, add ${JSON.stringify(host)} to sandbox.network.allowedDomains ${OWN}`,
  denied: () => 'sandbox.network.deniedDomains names it',
  unresolved: () => 'its name can’t be resolved',
  private: () => 'it leads to a private address, which commands never reach',
  malformed: () => 'it names no host and port',
};

function refusedLine({ why, host, authority }: RefusedRoute): string {
  const shown = host === undefined ? authority.slice(0, 100) : `${host.name}:${host.port}`;
  const port = host === undefined || host.port === 443 || host.port === 80 ? '' : `:${host.port}`;
  return `[The sandbox: no connection to ${JSON.stringify(shown)}: ${REFUSED[why](`${host?.name ?? ''}${port}`)}.]`;
}
