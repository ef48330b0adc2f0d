import type { Session } from '../session/contract.ts';

/** What a model asks for. Absent model and limit: the parent's. */
export type SpawnOrder = {
  readonly id: string;
  readonly instruction: string;
  readonly model?: string;
  readonly maxTurns?: number;
};

export type ChildOrder = SpawnOrder & { readonly childSessionId: string };

/** Makes the child's session, or goes on with the one that its journal holds. It does nothing yet. */
export type OpenChild = (order: ChildOrder) => Session;
