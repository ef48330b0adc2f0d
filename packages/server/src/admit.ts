import type { AccessRule, Caller } from '@attractor/api';
import { covers } from '@attractor/facts';

/** Why a caller may not use a route, with what would help; null if they may. */
export function whyNot(access: AccessRule, caller: Caller | undefined): string | null {
  if (access === 'open' || caller === undefined) return null;
  const [role, projects] = access;
  if (!covers(caller.role, role)) {
    const fix =
      caller.by === 'key' ? 'Use another key.' : `An admin can change that: attractor users edit ${caller.name}`;
    return `This takes the role ${role}; ${caller.name} is ${caller.role} here. ${fix}`;
  }
  if (projects === 'every' && caller.projects !== null)
    return `This concerns every project, and ${caller.name} has access to some of them only.`;
  return null;
}

export const NAME_A_PROJECT = 'You have access to some projects only: say which one is meant (projectId).';
