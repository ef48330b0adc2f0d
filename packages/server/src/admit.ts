import type { AccessRule, Caller } from '@attractor/api';
import { isRecord } from '@attractor/base';
import { covers } from '@attractor/facts';

/** Why a caller may not use a route, with what would help; null if they may. */
export function whyNot(access: AccessRule, caller: Caller | undefined): string | null {
  if (access === 'open' || caller === undefined) return null;
  const [role, projects] = access;
  if (!covers(caller.role, role)) {
    const fix =
      caller.by === 'key' ? 'Use another key.' : `An admin can change that: attractor users edit ${caller.name}`;
    return `This needs the role ${role}; ${caller.name} is ${caller.role} here. ${fix}`;
  }
  if (projects === 'every' && caller.projects !== null)
    return `This concerns every project, and ${caller.name} has access to only some of them.`;
  return null;
}

/** Why a caller may not say what is in a body: folders of this machine are given to runs by admins alone, wherever they are named. */
export function whyNotSay(caller: Caller | undefined, body: unknown): string | null {
  if (caller === undefined || covers(caller.role, 'admin') || !givesFolders(body, 0)) return null;
  return `Further folders (additionalDirectories) need an admin; ${caller.name} is ${caller.role} here.`;
}

function givesFolders(value: unknown, depth: number): boolean {
  if (!isRecord(value) || depth > DEEPEST) return false;
  return 'additionalDirectories' in value || Object.values(value).some((inner) => givesFolders(inner, depth + 1));
}

const DEEPEST = 4;

export const NAME_A_PROJECT = 'You have access to only some projects: say which one you mean (projectId).';
