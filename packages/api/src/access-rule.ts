import type { Role } from '@attractor/facts';

/**
 * What a route has to do with projects, for people who may see only some of them:
 * `named`: the call names something of a project; what belongs to another is not found, and something has to be named;
 * `visible`: the answer holds only what belongs to their projects;
 * `shared`: it concerns no project;
 * `every`: it concerns all projects at once, so it is refused.
 */
export type ProjectRule = 'named' | 'visible' | 'shared' | 'every';

/** The least role that a route takes, and its rule about projects. `open`: nobody has to be signed in. */
export type AccessRule = readonly [Role, ProjectRule] | 'open';

/** Who calls. The owner has no `userId`. `projects` null: all of them. */
export type Caller = {
  readonly name: string;
  readonly userId: string | null;
  readonly role: Role;
  readonly projects: ReadonlyArray<string> | null;
  /** A `key` acts for a person, but is not that person: it can't sign a browser in. */
  readonly by: 'token' | 'session' | 'key';
};
