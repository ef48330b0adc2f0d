/** What a person may do, each more than the one before: look; work on tasks, runs and questions; decide about projects, people and the server. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** Whether whoever has one role may do what takes the other. */
export function covers(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(wanted);
}

export function lesserRole(one: Role, other: Role): Role {
  return covers(one, other) ? other : one;
}
