import { FIRST } from './001-first.ts';

/** A step of the schema's history: appended, never changed once released, each run in one transaction. */
export type Migration = { readonly name: string; readonly sql: string };

export const MIGRATIONS: ReadonlyArray<Migration> = [FIRST];
