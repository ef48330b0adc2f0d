import { newId } from '@attractor/base/id';
import type { Reader, Tx } from '../database/store.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { UserRow } from '../database/people-rows.ts';
import { transactionTime } from '../database/transaction-time.ts';
import type { User } from '../types/people.ts';

export async function insertUser(tx: Tx, user: Pick<User, 'name' | 'role' | 'projects'>): Promise<User> {
  const row: UserRow = {
    id: newId('usr'),
    name: user.name,
    role: user.role,
    projects: listColumn(user.projects),
    session_number: 0,
    created_at: transactionTime(tx),
    issuer: null,
    subject: null,
  };
  await tx.insertInto('users').values(row).execute();
  return fromRow(row);
}

export async function listUsers(db: Reader): Promise<ReadonlyArray<User>> {
  const rows = await db.selectFrom('users').selectAll().orderBy('name').execute();
  return rows.map(fromRow);
}

/** Who somebody is at an issuer: by its address, and by the id that it never gives to another. */
export type Identity = { readonly issuer: string; readonly subject: string };

export type FoundUser = {
  readonly user: User;
  /** The number that the cookies of their sessions have to have. */
  readonly sessionNumber: number;
  /** An issuer has said who they are. */
  readonly isLinked: boolean;
};

export async function findUser(
  db: Reader,
  wanted: { readonly id: string } | { readonly name: string } | Identity,
): Promise<FoundUser | null> {
  let query = db.selectFrom('users').selectAll();
  for (const [column, value] of Object.entries(wanted))
    query = query.where(column as 'id' | 'name' | keyof Identity, '=', value);
  const row = await query.executeTakeFirst();
  return row === undefined
    ? null
    : { user: fromRow(row), sessionNumber: row.session_number, isLinked: row.subject !== null };
}

/** Null: they are nobody's there any more. */
export async function setIdentity(tx: Tx, { id }: User, identity: Identity | null): Promise<void> {
  const { issuer, subject } = identity ?? { issuer: null, subject: null };
  await tx.updateTable('users').set({ issuer, subject }).where('id', '=', id).execute();
}

export async function updateUser(tx: Tx, { id, role, projects }: User): Promise<void> {
  await tx
    .updateTable('users')
    .set({ role, projects: listColumn(projects) })
    .where('id', '=', id)
    .execute();
}

export async function endSessions(tx: Tx, { id }: User): Promise<void> {
  await tx
    .updateTable('users')
    .set((row) => ({ session_number: row('session_number', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** With their keys. */
export async function deleteUser(tx: Tx, { id }: User): Promise<void> {
  await tx.deleteFrom('api_keys').where('user_id', '=', id).execute();
  await tx.deleteFrom('users').where('id', '=', id).execute();
}

export function listColumn(projects: ReadonlyArray<string> | null): string | null {
  return projects === null ? null : JSON.stringify(projects);
}

function fromRow(row: UserRow): User {
  return {
    id: idOf('usr', row.id),
    name: row.name,
    role: row.role,
    projects: parseJson<ReadonlyArray<string> | null>(row.projects, null),
    createdAt: row.created_at,
  };
}
