import { nameIds, projectOf, refuseOnDatabaseError, type Store } from '@attractor/store';
import type { IdCommands } from './contract.ts';
import { findId } from './find-id.ts';

export function createIdCommands({ store }: { readonly store: Store }): IdCommands {
  return {
    findId: (search) => refuseOnDatabaseError(() => findId(store.read, search)),
    nameIds: (ids) => nameIds(store.read, ids),
    projectOf: (id) => projectOf(store.read, id),
  };
}
