import type { Role } from '@attractor/facts';
import type {
  Act,
  Actor,
  ApiKey,
  AuditEntry,
  AuditFilter,
  EndedSession,
  Identity,
  Result,
  User,
} from '@attractor/store';

export type NewUser = {
  readonly name: string;
  readonly role: Role;
  /** Ids. Absent or null: all. */
  readonly projects?: ReadonlyArray<string> | null;
};

export type UserEdit = {
  readonly role?: Role;
  readonly projects?: ReadonlyArray<string> | null;
  /** Every browser has to sign in again. */
  readonly endSessions?: boolean;
  /** Who they are at an issuer; null: nobody. Their sessions end. */
  readonly linked?: Identity | null;
};

/** Who an issuer says somebody is. `role` null: it does not tell. `isNameProven`: the name is one that nobody can give themselves. */
export type IssuedIdentity = Identity & {
  readonly name: string;
  readonly role: Role | null;
  readonly isNameProven: boolean;
};

export type NewApiKey = {
  readonly name: string;
  /** Absent: the owner's. */
  readonly user?: string;
  /** At most; its user's own role counts as well. Absent: as its user. */
  readonly role?: Role;
  readonly projects?: ReadonlyArray<string> | null;
  /** An ISO time. Absent: it stays valid until it is revoked. */
  readonly expiresAt?: string;
};

/** Who holds a valid key: a user, or with null the owner. */
export type KeyHolder = { readonly key: ApiKey; readonly user: User | null };

/** Who may use the server, by which keys, and what they did. */
export type PeopleCommands = {
  readonly listUsers: () => Promise<ReadonlyArray<User>>;
  readonly getUser: (name: string) => Promise<User | null>;
  readonly addUser: (input: NewUser, actor: Actor) => Promise<Result<User>>;
  readonly changeUser: (name: string, edit: UserEdit, actor: Actor) => Promise<Result<User>>;
  /** With their keys and sessions. */
  readonly removeUser: (name: string, actor: Actor) => Promise<Result<User>>;
  /** The user whom an issuer means: linked, made or changed to fit. */
  readonly issuerSignIn: (identity: IssuedIdentity) => Promise<Result<User>>;
  /** Null if there is no such user; `number` is the one that valid sessions of theirs have. */
  readonly sessionUser: (id: string) => Promise<{ readonly user: User; readonly number: number } | null>;
  /** Signs out: the session's cookie opens nothing any more, wherever a copy of it is. */
  readonly endSession: (session: EndedSession, actor: Actor) => Promise<Result<null>>;
  readonly isSessionEnded: (id: string) => Promise<boolean>;
  readonly listApiKeys: () => Promise<ReadonlyArray<ApiKey>>;
  /** `secret` is told once and not kept. */
  readonly addApiKey: (
    input: NewApiKey,
    actor: Actor,
  ) => Promise<Result<{ readonly key: ApiKey; readonly secret: string }>>;
  readonly revokeApiKey: (prefix: string, actor: Actor) => Promise<Result<ApiKey>>;
  /** Null if no valid key has this secret. That it was used is noted. */
  readonly keyHolder: (secret: string) => Promise<KeyHolder | null>;
  /** What only the server and the holder of the key know; null if there is no valid key with this prefix. */
  readonly keyHash: (prefix: string) => Promise<string | null>;
  /** For what people do that is no event of the log: sign-ins above all. */
  readonly noteAct: (act: Act) => Promise<Result<null>>;
  /** Newest first. */
  readonly audit: (filter?: AuditFilter) => Promise<ReadonlyArray<AuditEntry>>;
};
