import type { StoredEffect, Tx } from '@attractor/store';
import type { ScmServices } from '../scm/open-scm.ts';
import type { Cleaning, ProveMerge } from './performed.ts';

/**
 * What effects are carried out with. Without `prove` a merge needs no proof. `onDone` is called in the transaction that records an effect of
 * a task as done.
 */
export type OutboxServices = ScmServices & {
  readonly prove?: ProveMerge;
  readonly cleaning?: Cleaning;
  readonly onDone?: (tx: Tx, effect: StoredEffect) => Promise<void>;
};
