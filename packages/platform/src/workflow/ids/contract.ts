import type { IdKind, NamedId, Result } from '@attractor/store';

/** What a person called something, and what it may be. */
export type IdSearch = {
  readonly given: string;
  readonly kinds: ReadonlyArray<IdKind>;
  /** Whatever belongs to other projects is not found. Absent: it searches all. */
  readonly projectIds?: ReadonlyArray<string>;
};

export type FoundId = NamedId & { readonly kind: IdKind };

export type IdCommands = {
  /**
   * What is meant by a key (`ATT-12`, `ATT-12.3`, `ATT-12.q1`, a project's `ATT`), the beginning of an id, or at least four characters of
   * one. Refused as a conflict, with the candidates, if several are meant.
   */
  readonly findId: (search: IdSearch) => Promise<Result<FoundId | null>>;
  /** What people call these tasks, runs, questions and projects. Ids of nothing are left out. */
  readonly nameIds: (ids: ReadonlyArray<string>) => Promise<ReadonlyArray<NamedId>>;
  /** The project to which something belongs; null if there is no such thing, or it belongs to none. */
  readonly projectOf: (id: string) => Promise<string | null>;
};
