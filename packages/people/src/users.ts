import { done, expectedOfUserName } from '@attractor/base';
import {
  type Actor,
  addToAudit,
  deleteUser,
  endSessions,
  findProject,
  findUser,
  insertUser,
  OWNER,
  type Reader,
  refuse,
  type Result,
  setIdentity,
  type Store,
  updateUser,
  type User,
} from '@attractor/store';
import type { NewUser, UserEdit } from './contract.ts';

export function addUser(store: Store, { name, role, projects = null }: NewUser, actor: Actor): Promise<Result<User>> {
  const wanted = name.toLowerCase();
  return store.transact(async (tx) => {
    const expected = expectedOfUserName(wanted);
    if (expected !== null) return refuse('invalid', `"${name}" can't be the name of a user: use ${expected}.`);
    if (wanted === OWNER)
      return refuse('invalid', `"${OWNER}" is whoever has the token of the server: choose another.`);
    const namesake = await findUser(tx, { name: wanted });
    if (namesake !== null)
      return refuse('conflict', `There is already a user ${wanted}. To change it: attractor users edit ${wanted}`, {
        user: namesake.user,
      });
    const unknown = await unknownProject(tx, projects);
    if (unknown !== null) return unknown;
    const user = await insertUser(tx, { name: wanted, role, projects });
    await addToAudit(tx, [{ actor, act: 'user.added', summary: `User ${wanted}: ${reach(user)}` }]);
    return done(user);
  });
}

export function changeUser(
  store: Store,
  { name, edit }: { readonly name: string; readonly edit: UserEdit },
  actor: Actor,
): Promise<Result<User>> {
  return store.transact(async (tx) => {
    const found = await findUser(tx, { name: name.toLowerCase() });
    if (found === null) return unknownUser(name);
    const { user } = found;
    const unknown = await unknownProject(tx, edit.projects ?? null);
    if (unknown !== null) return unknown;
    const next: User = {
      ...user,
      role: edit.role ?? user.role,
      projects: edit.projects === undefined ? user.projects : edit.projects,
    };
    await updateUser(tx, next);
    const { linked } = edit;
    const other = linked === undefined || linked === null ? null : await findUser(tx, linked);
    if (other !== null && other.user.id !== user.id)
      return refuse(
        'conflict',
        `That is already the user ${other.user.name}: attractor users edit ${other.user.name} --linked none`,
        { user: other.user },
      );
    if (linked !== undefined) await setIdentity(tx, user, linked);
    // Whoever was signed in as another person is no longer.
    const ends = edit.endSessions === true || linked !== undefined;
    if (ends) await endSessions(tx, user);
    const who =
      linked === undefined ? '' : linked === null ? '; no longer linked' : `; ${linked.subject} of ${linked.issuer}`;
    const ended = `${who}${ends ? '; sessions ended' : ''}`;
    await addToAudit(tx, [{ actor, act: 'user.changed', summary: `User ${user.name}: ${reach(next)}${ended}` }]);
    return done(next);
  });
}

export function removeUser(store: Store, name: string, actor: Actor): Promise<Result<User>> {
  return store.transact(async (tx) => {
    const found = await findUser(tx, { name: name.toLowerCase() });
    if (found === null) return unknownUser(name);
    await deleteUser(tx, found.user);
    await addToAudit(tx, [{ actor, act: 'user.removed', summary: `User ${found.user.name}, with keys and sessions` }]);
    return done(found.user);
  });
}

export function unknownUser(name: string) {
  return refuse('not_found', `There is no user ${name}. See attractor users list`);
}

export async function unknownProject(db: Reader, projects: ReadonlyArray<string> | null) {
  for (const id of projects ?? [])
    if ((await findProject(db, id)) === null)
      return refuse('not_found', `There is no project ${id}. See attractor projects list`);
  return null;
}

/** How far they get, in words. */
export function reach({ role, projects }: Pick<User, 'role' | 'projects'>): string {
  return `${role} of ${projects === null ? 'every project' : projects.length === 0 ? 'no project' : projects.join(', ')}`;
}
