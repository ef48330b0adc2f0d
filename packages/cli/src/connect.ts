import { createHash } from 'node:crypto';
import { CLIENT_HEADER, createApiClient } from '@attractor/api';
import { newSecret, proofOf, readOrMakeToken, readServerRecord } from '@attractor/server/reach';
import type { Connection } from './connection.ts';
import { CommandFailure, EXIT, unwrap } from '@attractor/console';
import { sendHttp } from './send-http.ts';
import { homeFolder, type Environment } from './settings.ts';

export type ConnectOptions = {
  readonly env: Environment;
  /** The address that the person gave. Absent: the environment's, then the server of the home folder, then this process. */
  readonly server?: string;
};

export async function connect({ env, server }: ConnectOptions): Promise<Connection> {
  const home = homeFolder(env);
  const named = server ?? nonEmpty(env['ATTRACTOR_SERVER']);
  if (named !== undefined) return connectTo(named, { home, env });
  const running = await runningServer(home);
  if (running !== null) return to(running.url, running.token);
  // A running server has loaded the platform: only without one is it loaded here.
  const { connectHere } = await import('./connect-here.ts');
  return connectHere(home, env, ownName);
}

/** The server of this home on this machine, if one runs: it has proved that it knows the home's token. */
export async function runningServer(
  home: string,
): Promise<{ readonly url: string; readonly pid: number; readonly token: string } | null> {
  const record = await readServerRecord(home);
  if (record === null) return null;
  const token = unwrap(await readOrMakeToken(home));
  return (await proves(record.url, token)) === 'proved' ? { ...record, token } : null;
}

async function connectTo(
  address: string,
  { home, env }: { readonly home: string; readonly env: Environment },
): Promise<Connection> {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    throw new CommandFailure(
      `expected the address of a server such as http://127.0.0.1:4180, not '${address}'.`,
      EXIT.usage,
    );
  const url = address.replace(/\/+$/, '');
  const token = nonEmpty(env['ATTRACTOR_TOKEN']) ?? unwrap(await readOrMakeToken(home));
  const proof = await proves(url, token);
  if (proof === 'proved') return to(url, token);
  if (proof === 'silent')
    throw new CommandFailure(
      `no attractor server answers at ${url}. Check the address, and that it runs: attractor serve`,
    );
  throw new CommandFailure(
    `the server at ${url} does not know your access token, or is not at that address itself. Set ATTRACTOR_TOKEN to an API key (\`attractor keys add\` on the server), or to what is in the file \`token\` of its home folder; a tunnel has to keep the server's port.`,
    EXIT.unauthorised,
  );
}

const PROOF_TIMEOUT_MS = 5000;

/** Of an API key the server knows only the hash; with its prefix it is asked for a proof of that. */
function provable(token: string): { readonly secret: string; readonly key: string | null } {
  const key = /^(atk_[0-9a-f]+)_/.exec(token)?.[1] ?? null;
  return key === null ? { secret: token, key } : { secret: createHash('sha256').update(token).digest('hex'), key };
}

/** A token is sent only to a server that proves that it knows it. */
async function proves(url: string, token: string): Promise<'proved' | 'unknown' | 'silent'> {
  const challenge = { text: newSecret(), at: addressOf(url) };
  try {
    const signal = AbortSignal.timeout(PROOF_TIMEOUT_MS);
    const { secret, key } = provable(token);
    const asked = new URLSearchParams({ challenge: challenge.text, at: challenge.at, ...(key !== null && { key }) });
    const response = await sendHttp(`${url}/healthz?${asked.toString()}`, { method: 'GET', headers: {}, signal });
    const body: unknown = JSON.parse(await response.text());
    if (typeof body !== 'object' || body === null || !('ok' in body)) return 'silent';
    return 'proof' in body && body.proof === proofOf(secret, challenge) ? 'proved' : 'unknown';
  } catch {
    return 'silent';
  }
}

/** Host and port, also where the port is the usual one. */
function addressOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}

function to(url: string, token: string): Connection {
  return {
    client: createApiClient({ baseUrl: url, token, headers: ownName, send: sendHttp }),
    where: 'server',
    address: url,
    close: async () => undefined,
  };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function ownName(): Readonly<Record<string, string>> {
  return { [CLIENT_HEADER]: 'cli' };
}
