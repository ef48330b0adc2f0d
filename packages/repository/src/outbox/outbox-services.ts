import type { ScmServices } from '../scm/open-scm.ts';
import type { ProveMerge } from './performed.ts';

/** What effects are carried out with. Without `prove` a merge needs no proof. */
export type OutboxServices = ScmServices & { readonly prove?: ProveMerge };
