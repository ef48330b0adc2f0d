/** What a command answers that leaves nothing to show. */
export type Done = { readonly done: true };
