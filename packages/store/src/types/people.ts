import type { Id } from '@attractor/base/id';
import type { Role } from '@attractor/facts';

/** Someone who may use the server. `projects` null: all of them; an admin has all of them anyway. */
export type User = {
  readonly id: Id<'usr'>;
  /** Unique, in small letters. */
  readonly name: string;
  readonly role: Role;
  readonly projects: ReadonlyArray<string> | null;
  readonly createdAt: string;
};

/**
 * A secret by which a program acts for a person: never with more than that person's role and projects, and only until it expires, is
 * revoked, or the person is removed. `prefix` is its public name, and the beginning of the secret.
 */
export type ApiKey = {
  readonly prefix: string;
  readonly name: string;
  /** The name of its user. */
  readonly user: string;
  readonly role: Role;
  readonly projects: ReadonlyArray<string> | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
};

/** One act of a person. */
export type AuditEntry = {
  readonly id: Id<'aud'>;
  readonly at: string;
  /** A user's name, or `owner`; what came without either is told by the name of its way in, such as a channel. */
  readonly person: string;
  readonly via: string | null;
  /** The prefix of the key that was used. */
  readonly apiKey: string | null;
  /** An event's type, or one of the acts that are no events, such as `user.signed_in`. */
  readonly act: string;
  readonly summary: string;
  readonly projectId: string | null;
  readonly taskId: string | null;
  readonly runId: string | null;
};
