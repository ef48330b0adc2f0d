import { done } from '@attractor/base';
import {
  addToAudit,
  endSession,
  findUser,
  isSessionEnded,
  listApiKeys,
  listAudit,
  listUsers,
  refuseOnDatabaseError,
  type Store,
} from '@attractor/store';
import { addApiKey, keyHash, keyHolder, revokeApiKey } from './api-keys.ts';
import type { PeopleCommands } from './contract.ts';
import { issuerSignIn } from './issuer-sign-in.ts';
import { addUser, changeUser, removeUser } from './users.ts';

export function createPeopleCommands({ store }: { readonly store: Store }): PeopleCommands {
  const { read } = store;
  const guarded = refuseOnDatabaseError;
  return {
    listUsers: () => listUsers(read),
    getUser: async (name) => (await findUser(read, { name: name.toLowerCase() }))?.user ?? null,
    addUser: (input, actor) => guarded(() => addUser(store, input, actor)),
    changeUser: (name, edit, actor) => guarded(() => changeUser(store, { name, edit }, actor)),
    removeUser: (name, actor) => guarded(() => removeUser(store, name, actor)),
    issuerSignIn: (identity) => guarded(() => issuerSignIn(store, identity)),
    sessionUser: async (id) => {
      const found = await findUser(read, { id });
      return found === null ? null : { user: found.user, number: found.sessionNumber };
    },
    endSession: (session, actor) =>
      guarded(() =>
        store.transact(async (tx) => {
          await endSession(tx, session);
          await addToAudit(tx, [{ actor, act: 'user.signed_out', summary: 'Signed out' }]);
          return done(null);
        }),
      ),
    isSessionEnded: (id) => isSessionEnded(read, id),
    listApiKeys: () => listApiKeys(read),
    addApiKey: (input, actor) => guarded(() => addApiKey(store, input, actor)),
    revokeApiKey: (prefix, actor) => guarded(() => revokeApiKey(store, prefix, actor)),
    keyHolder: (secret) => keyHolder(store, secret),
    keyHash: (prefix) => keyHash(read, prefix),
    noteAct: (act) =>
      guarded(() =>
        store.transact(async (tx) => {
          await addToAudit(tx, [act]);
          return done(null);
        }),
      ),
    audit: (filter = {}) => listAudit(read, filter),
  };
}
