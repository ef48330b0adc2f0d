import type { Id } from '@attractor/agent';

/** `path` is absolute, a git repository, unique, and never changes. */
export type Project = {
  readonly id: Id<'prj'>;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly defaultBranch: string;
  /** Hash of the repository's configuration that was trusted last through this project. For the record: what counts is the trust that is kept under the home folder. */
  readonly trustedConfigHash: string | null;
  readonly createdAt: string;
};
