import { done, expectedOfUserName } from '@attractor/base';
import { covers, type Role } from '@attractor/facts';
import {
  addToAudit,
  findUser,
  insertUser,
  listApiKeys,
  listAudit,
  OWNER,
  type Reader,
  refuse,
  type Result,
  setIdentity,
  type Store,
  type Tx,
  updateUser,
  type User,
} from '@attractor/store';
import type { IssuedIdentity } from './contract.ts';
import { reach } from './users.ts';

/**
 * The user whom an issuer means. A person is who the issuer says by its own id for them; a name counts once, to find the user that was made
 * for them. Where the issuer tells roles, users are made and changed to fit.
 */
export function issuerSignIn(store: Store, identity: IssuedIdentity): Promise<Result<User>> {
  return store.transact(async (tx) => {
    const known = await findUser(tx, { issuer: identity.issuer, subject: identity.subject });
    if (known !== null) return done(await withRole(tx, known.user, identity.role));
    const found = await findUser(tx, { name: identity.name });
    if (found === null) return makeUser(tx, identity);
    const problem = await whyNotLinked(tx, found, identity);
    if (problem !== null) return refuse('forbidden', problem);
    await link(tx, found.user, identity);
    return done(await withRole(tx, found.user, identity.role));
  });
}

async function makeUser(tx: Tx, identity: IssuedIdentity): Promise<Result<User>> {
  const { name, role } = identity;
  if (role === null || expectedOfUserName(name) !== null || name === OWNER)
    return refuse('forbidden', `There is no user ${name} here. An admin can add one: attractor users add ${name}`);
  const user = await insertUser(tx, { name, role, projects: null });
  await link(tx, user, identity);
  return done(user);
}

async function withRole(tx: Tx, user: User, role: Role | null): Promise<User> {
  if (role === null || role === user.role) return user;
  const changed = { ...user, role };
  await updateUser(tx, changed);
  await note(tx, changed, `User ${user.name}: ${reach(changed)}, as the issuer tells`);
  return changed;
}

async function link(tx: Tx, user: User, { issuer, subject }: IssuedIdentity): Promise<void> {
  await setIdentity(tx, user, { issuer, subject });
  await note(tx, user, `User ${user.name} is now ${subject} of ${issuer}`);
}

function note(tx: Tx, { id, name }: User, summary: string): Promise<void> {
  return addToAudit(tx, [{ actor: { type: 'user', name, userId: id, via: 'oidc' }, act: 'user.changed', summary }]);
}

type Found = NonNullable<Awaited<ReturnType<typeof findUser>>>;

/**
 * Whoever first comes with a user's name becomes that user for good. That is safe where the issuer vouches for the name, and where nobody
 * gains by it: the account was not used in another way, and has no more rights than the issuer gives them, or than an operator's.
 */
async function whyNotLinked(db: Reader, { user, isLinked }: Found, identity: IssuedIdentity): Promise<string | null> {
  const { issuer, subject, role, isNameProven } = identity;
  const byHand = `an admin can say that it is you: attractor users edit ${user.name} --linked "${issuer} ${subject}"`;
  if (isLinked) return `The user ${user.name} here is somebody else at the issuer. If that is wrong, ${byHand}`;
  if (isNameProven) return null;
  const isSmall = role === null ? user.role !== 'admin' : covers(role, user.role);
  if (isSmall && !(await isUsedOtherwise(db, user))) return null;
  return `A name alone does not show that you are the user ${user.name} here: ${byHand}`;
}

async function isUsedOtherwise(db: Reader, { name }: User): Promise<boolean> {
  if ((await listApiKeys(db)).some(({ user }) => user === name)) return true;
  const signedIn = await listAudit(db, { person: name, act: 'user.signed_in', limit: 1000 });
  return signedIn.some(({ via }) => via !== 'oidc');
}
