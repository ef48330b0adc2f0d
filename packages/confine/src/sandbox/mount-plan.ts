import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../containment/resolve.ts';
import type { Guard } from '../guard/guard.ts';
import { coveredSockets } from './covered-sockets.ts';
import type { Mount } from './mounts.ts';
import { namedInRoots } from './named-in-roots.ts';
import type { PrivateFolder } from './private-folder.ts';
import { protectedMounts } from './protected-mounts.ts';
import { SOCKET_GIVEN, type SandboxedCommand, type SandboxPolicy } from './sandbox-policy.ts';
import { findSecrets, secretMounts, type Secrets } from './secrets.ts';
import { isTemporary, realOr } from './temporary-folders.ts';

/** What commands see of the workspace and of the homes, from what exists when each of them starts. */
export type MountPlan = {
  readonly secrets: () => Secrets;
  /** What git obeys in the roots because a setting names it. */
  readonly named: () => ReadonlyArray<string>;
  /** Must be released when the command has ended. */
  readonly hold: (command: SandboxedCommand, further: FurtherMounts) => HeldMounts;
};

type FurtherMounts = { readonly folder: PrivateFolder; readonly gate: ReadonlyArray<Mount> };

type HeldMounts = { readonly mounts: ReadonlyArray<Mount>; readonly release: () => void };

/** Real paths. */
export type PlanPlaces = {
  readonly roots: ReadonlyArray<string>;
  readonly homes: ReadonlyArray<string>;
  readonly allowed: ReadonlyArray<string>;
};

/** Secrets are searched again after this long. */
const LOOK_AGAIN_MS = 30_000;

export function createMountPlan(policy: SandboxPolicy, { roots, homes, allowed }: PlanPlaces, guard: Guard): MountPlan {
  const secrets = freshFor(LOOK_AGAIN_MS, () => findSecrets(homes, policy.denyRead?.map(realOr)));
  const sockets = coveredSockets({ roots, homes, lookAgainMs: LOOK_AGAIN_MS });
  let repositories: ReadonlyArray<string> = [];
  const named = namedInRoots({ roots, homes, repositories: () => repositories });
  const isAllowed = (at: string): boolean => allowed.some((folder) => isInside(folder, at));
  const further = allowed.filter((at) => existsSync(at) && !roots.some((root) => isInside(root, at)));
  const protect = (): ReadonlyArray<Mount> => {
    const survey = guard.survey();
    const { mounts, gits } = protectedMounts(survey, { roots, isOwn: guard.isOwn, isAllowed });
    repositories = [...survey.names.keys()].filter((at) => path.basename(at) === '.git').map((at) => path.dirname(at));
    guard.begin(gits, named);
    return [...mounts, ...unchangeable(named().filter((at) => !isAllowed(at)))];
  };
  const hold: MountPlan['hold'] = ({ readOnly, readable = [], given }, { folder, gate }) => {
    const visible = stillVisible([...homes, ...(policy.readable ?? []), ...readable]);
    const mounts = [
      ...visible,
      ...gate,
      ...layered(readOnly === true ? roots : [...further, ...roots], {
        rootsAs: readOnly === true ? 'read-only' : 'writable',
        hidden: secretMounts(secrets(), folder.emptyFile),
        own: folder.at,
        kept: readOnly === true ? [] : [...protect(), ...unchangeable(policy.denyWrite)],
      }),
      ...sockets({ shown: [...roots, ...visible.map(({ at }) => at)], secrets: secrets(), own: folder }),
      ...givenMounts(given),
    ];
    return { mounts, release: () => void (readOnly === true || guard.end()) };
  };
  return { secrets, named, hold };
}

/** A home, or what the policy names, may be below /tmp, which is replaced by another one inside. Our own program is always visible. */
function stillVisible(named: ReadonlyArray<string>): ReadonlyArray<Mount> {
  return unchangeable([process.execPath, ...named].filter(isTemporary));
}

function unchangeable(named: ReadonlyArray<string> = []): ReadonlyArray<Mount> {
  return named.filter((at) => existsSync(at)).map((at) => ({ at: realOr(at), as: 'read-only' }));
}

/** Last, so that nothing covers them. */
function givenMounts(given: SandboxedCommand['given']): ReadonlyArray<Mount> {
  if (given === undefined) return [];
  const { folders, socket } = given;
  return [
    ...folders.map((at): Mount => ({ at: realOr(at), as: 'writable' })),
    ...(socket === undefined ? [] : [{ at: SOCKET_GIVEN, as: 'read-only', from: socket } as const]),
  ];
}

type Layers = {
  readonly rootsAs: 'read-only' | 'writable';
  readonly hidden: ReadonlyArray<Mount>;
  readonly own: string;
  readonly kept: ReadonlyArray<Mount>;
};

/** What is hidden is hidden again where a root would uncover it; a root inside a hidden folder stays visible. */
function layered(roots: ReadonlyArray<string>, { rootsAs, hidden, own, kept }: Layers): ReadonlyArray<Mount> {
  const uncovered = [...hidden, { at: own, as: 'hidden' } as const].filter(({ at }) =>
    roots.some((root) => isInside(root, at) && at !== root),
  );
  return [...hidden, ...roots.map((at) => ({ at, as: rootsAs })), ...kept, ...uncovered];
}

function freshFor<T>(ms: number, look: () => T): () => T {
  let seen: { readonly value: T; readonly at: number } | null = null;
  return () => {
    if (seen === null || performance.now() - seen.at > ms) seen = { value: look(), at: performance.now() };
    return seen.value;
  };
}
