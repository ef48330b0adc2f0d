import { newId } from '@attractor/base/id';
import { parseJson } from '../database/json.ts';
import type { ApiKeyRow } from '../database/people-rows.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';
import { OWNER } from '../types/actor.ts';
import type { ApiKey, User } from '../types/people.ts';
import { findUser, listColumn, listUsers } from './users.ts';

export type NewApiKey = Pick<ApiKey, 'prefix' | 'name' | 'role' | 'projects' | 'expiresAt'> & {
  /** Null: the owner's. */
  readonly user: User | null;
  readonly secretHash: string;
};

export async function insertApiKey(tx: Tx, key: NewApiKey): Promise<ApiKey> {
  const row: ApiKeyRow = {
    id: newId('key'),
    prefix: key.prefix,
    name: key.name,
    user_id: key.user?.id ?? null,
    secret_hash: key.secretHash,
    role: key.role,
    projects: listColumn(key.projects),
    created_at: transactionTime(tx),
    expires_at: key.expiresAt,
    last_used_at: null,
    revoked_at: null,
  };
  await tx.insertInto('api_keys').values(row).execute();
  return fromRow(row, key.user?.name ?? OWNER);
}

/** Oldest first. */
export async function listApiKeys(db: Reader): Promise<ReadonlyArray<ApiKey>> {
  const names = new Map<string, string>((await listUsers(db)).map(({ id, name }) => [id, name]));
  const rows = await db.selectFrom('api_keys').selectAll().orderBy('id').execute();
  return rows.map((row) => fromRow(row, row.user_id === null ? OWNER : (names.get(row.user_id) ?? '')));
}

/** Also one that is no longer valid. `user` null: the owner's. */
export async function findApiKey(
  db: Reader,
  prefix: string,
): Promise<{ readonly key: ApiKey; readonly user: User | null; readonly secretHash: string } | null> {
  const row = await db.selectFrom('api_keys').selectAll().where('prefix', '=', prefix).executeTakeFirst();
  if (row === undefined) return null;
  const user = row.user_id === null ? null : ((await findUser(db, { id: row.user_id }))?.user ?? null);
  return { key: fromRow(row, user?.name ?? OWNER), user, secretHash: row.secret_hash };
}

export async function revokeApiKey(tx: Tx, prefix: string): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ revoked_at: transactionTime(tx) })
    .where('prefix', '=', prefix)
    .where('revoked_at', 'is', null)
    .execute();
}

export async function noteKeyUse(tx: Tx, prefix: string): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ last_used_at: transactionTime(tx) })
    .where('prefix', '=', prefix)
    .execute();
}

function fromRow(row: ApiKeyRow, user: string): ApiKey {
  return {
    prefix: row.prefix,
    name: row.name,
    user,
    role: row.role,
    projects: parseJson<ReadonlyArray<string> | null>(row.projects, null),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
