import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { done } from '@attractor/base';
import {
  type Actor,
  addToAudit,
  type ApiKey,
  findApiKey,
  findUser,
  insertApiKey,
  noteKeyUse,
  type Reader,
  refuse,
  type Result,
  revokeApiKey as revoke,
  type Store,
} from '@attractor/store';
import type { KeyHolder, NewApiKey } from './contract.ts';
import { reach, unknownProject, unknownUser } from './users.ts';

/** A public name, then 256 random bits. */
const SECRET = /^(atk_[0-9a-f]{12})_[\w-]{43}$/;

export function addApiKey(
  store: Store,
  { name, user: userName, role, projects = null, expiresAt }: NewApiKey,
  actor: Actor,
): Promise<Result<{ readonly key: ApiKey; readonly secret: string }>> {
  const prefix = `atk_${randomBytes(6).toString('hex')}`;
  const secret = `${prefix}_${randomBytes(32).toString('base64url')}`;
  return store.transact(async (tx) => {
    const user = userName === undefined ? null : ((await findUser(tx, { name: userName.toLowerCase() }))?.user ?? null);
    if (userName !== undefined && user === null) return unknownUser(userName);
    const until = expiresAt === undefined ? null : new Date(expiresAt);
    if (until !== null && !(until.getTime() > Date.now()))
      return refuse('invalid', `The key would already have expired at ${expiresAt ?? ''}: give a time in the future.`);
    const unknown = await unknownProject(tx, projects);
    if (unknown !== null) return unknown;
    const key = await insertApiKey(tx, {
      prefix,
      name,
      user,
      secretHash: hashOf(secret),
      role: role ?? user?.role ?? 'admin',
      projects,
      expiresAt: until?.toISOString() ?? null,
    });
    const whose = `for ${key.user}, ${reach(key)}, ${key.expiresAt === null ? 'until revoked' : `until ${key.expiresAt}`}`;
    await addToAudit(tx, [{ actor, act: 'key.added', summary: `Key ${prefix} (${name}) ${whose}` }]);
    return done({ key, secret });
  });
}

export function revokeApiKey(store: Store, prefix: string, actor: Actor): Promise<Result<ApiKey>> {
  return store.transact(async (tx) => {
    const found = await findApiKey(tx, prefix);
    if (found === null) return refuse('not_found', `There is no key ${prefix}. See attractor keys list`);
    if (found.key.revokedAt !== null) return done(found.key);
    await revoke(tx, prefix);
    await addToAudit(tx, [{ actor, act: 'key.revoked', summary: `Key ${prefix} (${found.key.name})` }]);
    return done((await findApiKey(tx, prefix))?.key ?? found.key);
  });
}

/** A use is written down at most this often for one key. */
const NOTE_MS = 60_000;

export async function keyHolder(store: Store, secret: string): Promise<KeyHolder | null> {
  const prefix = SECRET.exec(secret)?.[1];
  const found = prefix === undefined ? null : await findApiKey(store.read, prefix);
  if (found === null || !isValid(found.key) || !isSame(found.secretHash, hashOf(secret))) return null;
  const { key, user } = found;
  if (key.lastUsedAt === null || Date.now() - Date.parse(key.lastUsedAt) > NOTE_MS)
    await store.transact((tx) => noteKeyUse(tx, key.prefix));
  return { key, user };
}

export async function keyHash(db: Reader, prefix: string): Promise<string | null> {
  const found = await findApiKey(db, prefix);
  return found !== null && isValid(found.key) ? found.secretHash : null;
}

function isValid({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Both are digests of one length, so the time reveals nothing. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
