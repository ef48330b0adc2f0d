import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { isRecord } from '@attractor/base';
import { newId } from '@attractor/base/id';

/**
 * What is stored about signing in to one server, in a file that only its owner can read. The file is named by the server's whole address: a
 * token is never found for another one.
 */
export type SignInRecord = {
  readonly url: string;
  readonly client?: StoredOAuthClientInformation;
  readonly tokens?: StoredOAuthTokens;
  /** The callback port of the registered client. */
  readonly port?: number;
};

export type TokenFile = {
  readonly read: () => SignInRecord;
  readonly write: (record: Omit<SignInRecord, 'url'>) => void;
};

/** The file for each address. `home` null: kept in memory, as long as the function is. */
export function tokenFiles(home: string | null): (url: string) => TokenFile {
  const opened = new Map<string, TokenFile>();
  return (url) => {
    const file = opened.get(url) ?? (home === null ? inMemory(url) : onDisk(home, url));
    opened.set(url, file);
    return file;
  };
}

function onDisk(home: string, url: string): TokenFile {
  const folder = path.join(home, 'mcp', 'sign-ins');
  const file = path.join(folder, `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.json`);
  return {
    read: () => recordIn(file, url),
    write: (record) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700);
      const fresh = `${file}.${newId('new')}`;
      try {
        writeFileSync(fresh, `${JSON.stringify({ ...record, url })}\n`, { mode: 0o600, flag: 'wx' });
        renameSync(fresh, file);
      } catch (error) {
        rmSync(fresh, { force: true });
        throw error;
      }
    },
  };
}

function inMemory(url: string): TokenFile {
  let kept: SignInRecord = { url };
  return { read: () => kept, write: (record) => void (kept = { ...record, url }) };
}

/** A missing or damaged file, or one for another address, counts as empty. */
function recordIn(file: string, url: string): SignInRecord {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isRecord(value) && value['url'] === url) return { url, ...soundRecord(value) };
  } catch {
    // Signing in again creates a new one.
  }
  return { url };
}

function soundRecord({ client, tokens, port }: Readonly<Record<string, unknown>>): Omit<SignInRecord, 'url'> {
  return {
    ...(isClient(client) ? { client } : {}),
    ...(isTokens(tokens) ? { tokens } : {}),
    ...(typeof port === 'number' ? { port } : {}),
  };
}

function isClient(value: unknown): value is StoredOAuthClientInformation {
  return isRecord(value) && typeof value['client_id'] === 'string';
}

function isTokens(value: unknown): value is StoredOAuthTokens {
  return isRecord(value) && typeof value['access_token'] === 'string' && typeof value['token_type'] === 'string';
}
