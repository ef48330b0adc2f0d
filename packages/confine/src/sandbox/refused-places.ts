import { existsSync } from 'node:fs';
import path from 'node:path';
import { isProtectedName } from '../containment/path-rules.ts';
import { isInside } from '../containment/resolve.ts';
import { gitMounts, isSteering } from './git-mounts.ts';
import type { PlanPlaces } from './mount-plan.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { SandboxPolicy } from './sandbox-policy.ts';
import type { Secrets } from './secrets.ts';
import { isTemporary, realOr } from './temporary-folders.ts';

/** What is known of a sandbox's places. `folder` null: it has run nothing yet. */
export type RefusingPlaces = PlanPlaces & {
  readonly policy: Pick<SandboxPolicy, 'denyWrite' | 'readable'>;
  readonly secrets: () => Secrets;
  readonly named: () => ReadonlyArray<string>;
  readonly folder: () => PrivateFolder | null;
};

/**
 * Why no command can read or write a real path, whatever anybody allows, and which setting would change that; null if one can. Nobody needs
 * to be asked about what is refused in any case.
 */
export function whyRefused(places: RefusingPlaces, real: string, access: 'read' | 'write'): string | null {
  return access === 'read' ? whyUnread(places, real) : whyUnwritten(places, real);
}

function whyUnread(places: RefusingPlaces, real: string): string | null {
  const { hidden, stillRead } = places.secrets();
  const root = places.roots.find((at) => isInside(at, real));
  // A root inside a hidden folder stays visible.
  const counts = (at: string): boolean => root === undefined || (at !== root && isInside(root, at));
  const isHidden = hidden.some((at) => isInside(at, real) && counts(at));
  if (isHidden && !stillRead.some((at) => isInside(at, real)))
    return 'the sandbox hides it from commands: it holds secrets of this user, or "sandbox.filesystem.denyRead" names it';
  return root === undefined ? whyElsewhere(places, real, 'allowRead') : null;
}

function whyUnwritten(places: RefusingPlaces, real: string): string | null {
  const { roots, allowed, policy } = places;
  if (policy.denyWrite?.some((at) => isInside(realOr(at), real)) === true)
    return '"sandbox.filesystem.denyWrite" keeps commands from changing it';
  if (allowed.some((at) => isInside(at, real))) return null;
  const root = roots.find((at) => isInside(at, real));
  if (root !== undefined) return whyProtected(places, root, real);
  if (isInside('/dev', real)) return null;
  if (isTemporary(real)) return whyElsewhere(places, real, 'allowWrite');
  return `the sandbox lets commands write only below ${roots.join(', ')} and in a temporary folder of their own; ${naming('allowWrite', path.dirname(real))}`;
}

/** A part of `.git` can be written, so that commits can be made. */
function whyProtected({ named }: RefusingPlaces, root: string, real: string): string | null {
  const names = path.relative(root, real).split('/');
  const at = names.findIndex(isProtectedName);
  const isHeld =
    at >= 0
      ? names[at] !== '.git' || isHeldByGit(path.join(root, ...names.slice(0, at)), real)
      : named().some((one) => isInside(one, real));
  return isHeld
    ? `files there steer other programs, and the sandbox keeps commands from changing them; ${naming('allowWrite', real)}`
    : null;
}

function isHeldByGit(folder: string, real: string): boolean {
  const git = path.join(folder, '.git');
  if (isSteering(path.relative(git, real))) return true;
  const around = gitMounts(folder).mounts.filter(({ at }) => isInside(at, real));
  const nearest = around.toSorted((one, other) => other.at.length - one.at.length)[0];
  return nearest?.as === 'read-only';
}

/** What lies in the machine's temporary folders is not there for commands, unless it was made from inside. */
function whyElsewhere(places: RefusingPlaces, real: string, setting: 'allowRead' | 'allowWrite'): string | null {
  if (!isTemporary(real)) return null;
  const visible = [...places.homes, ...places.allowed, ...(places.policy.readable ?? []).map(realOr)];
  if (visible.some((at) => isInside(at, real)))
    return setting === 'allowRead'
      ? null
      : `the sandbox shows it to commands and lets none change it; ${naming(setting, real)}`;
  const needed = setting === 'allowRead' ? real : path.dirname(real);
  if (isMadeInside(places.folder(), needed) || !existsSync(needed)) return null;
  return `commands have a temporary folder of their own, where it is not; ${naming(setting, needed)}`;
}

function isMadeInside(folder: PrivateFolder | null, real: string): boolean {
  if (real === '/tmp' || real === '/var/tmp') return true;
  if (folder === null) return false;
  const [from, below] = isInside('/tmp', real) ? ['/tmp', folder.tmp] : ['/var/tmp', folder.varTmp];
  return existsSync(path.join(below, path.relative(from, real)));
}

function naming(setting: string, value: string): string {
  return `"sandbox.filesystem.${setting}" with ${JSON.stringify(value)} would allow it`;
}
