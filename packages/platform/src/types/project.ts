import type { Id } from '@attractor/agent';

/** `path` is absolute, a git repository, unique, and never changes. */
export type Project = {
  readonly id: Id<'prj'>;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly defaultBranch: string;
  /** Hash of the repository's configuration (checks, agents) that a person trusted; null: nothing of it is run or obeyed. */
  readonly trustedConfigHash: string | null;
  readonly createdAt: string;
};
