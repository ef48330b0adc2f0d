import type { Store } from '../database/store.ts';
import type { Result } from '../types/index.ts';

/** A database that can be opened any number of times. */
export type Place = { readonly open: () => Promise<Result<Store>> };
