import { existsSync } from 'node:fs';
import { isInside } from '../containment/resolve.ts';
import { coveredSockets } from './covered-sockets.ts';
import type { Mount } from './mounts.ts';
import { createPlaceholders, type Placeholders } from './placeholders.ts';
import type { PrivateFolder } from './private-folder.ts';
import { findNestedNames, protectedMounts } from './protected-mounts.ts';
import type { SandboxedCommand, SandboxPolicy } from './sandbox-policy.ts';
import { findSecrets, homesHere, secretMounts, type Secrets } from './secrets.ts';
import { isTemporary, realOr } from './temporary-folders.ts';
import { watchNames } from './watched-names.ts';

/** What commands see of the workspace and of the homes, from what exists when each of them starts. */
export type MountPlan = {
  readonly roots: ReadonlyArray<string>;
  readonly secrets: () => Secrets;
  /** Must be released when the command has ended. */
  readonly hold: (command: SandboxedCommand, further: FurtherMounts) => HeldMounts;
  readonly removePlaceholders: Placeholders['removeNow'];
};

type FurtherMounts = { readonly folder: PrivateFolder; readonly gate: ReadonlyArray<Mount> };

type HeldMounts = { readonly mounts: ReadonlyArray<Mount>; readonly release: () => void };

const LAST_LOOK_MS = 250;
/** Secrets, and protected names below the roots, are searched again after this long. */
const LOOK_AGAIN_MS = 30_000;

export function createMountPlan(policy: SandboxPolicy): MountPlan {
  const roots = policy.roots.map(realOr);
  const homes = [...new Set((policy.homes ?? homesHere()).map(realOr))];
  const placeholders = createPlaceholders();
  const secrets = freshFor(LOOK_AGAIN_MS, () => findSecrets(homes, policy.denyRead?.map(realOr)));
  const sockets = coveredSockets({ roots, homes, lookAgainMs: LOOK_AGAIN_MS });
  const nested = freshFor(LOOK_AGAIN_MS, () => roots.map((root) => [root, findNestedNames(root)] as const));
  const hold: MountPlan['hold'] = ({ readOnly, readable = [] }, { folder, gate }) => {
    const names = nested().map(([root, below]) =>
      protectedMounts(root, { homes, nested: below, isOurs: placeholders.isOurs }),
    );
    const watch = watchNames(
      names.flatMap(({ watched }) => watched),
      names.flatMap(({ linkFree }) => linkFree),
    );
    const protectedNames = [...names.flatMap(({ mounts }) => mounts), ...unchangeable(policy.denyWrite)];
    const held = new Set(placeholders.hold(protectedNames.filter(isMask).map(({ at }) => at)));
    const visible = stillVisible([...homes, ...(policy.readable ?? []), ...readable]);
    const mounts = [
      ...visible,
      ...gate,
      ...layered(roots, {
        rootsAs: readOnly === true ? 'read-only' : 'writable',
        hidden: secretMounts(secrets(), folder.emptyFile),
        own: folder.at,
        kept: protectedNames.filter((mount) => !isMask(mount) || held.has(mount.at)),
      }),
      ...sockets({ shown: [...roots, ...visible.map(({ at }) => at)], secrets: secrets(), own: folder }),
    ];
    return {
      mounts,
      release: () => {
        watch.restore();
        // Processes beside the command are being ended at this moment, and may act until then.
        setTimeout(watch.restore, LAST_LOOK_MS).unref();
        placeholders.release();
      },
    };
  };
  return { roots, secrets, hold, removePlaceholders: placeholders.removeNow };
}

/** A home, or what the policy names, may be below /tmp, which is replaced by another one inside. Our own program is always visible. */
function stillVisible(named: ReadonlyArray<string>): ReadonlyArray<Mount> {
  return unchangeable([process.execPath, ...named].filter(isTemporary));
}

function unchangeable(named: ReadonlyArray<string> = []): ReadonlyArray<Mount> {
  return named.filter((at) => existsSync(at)).map((at) => ({ at: realOr(at), as: 'read-only' }));
}

function isMask({ as }: Mount): boolean {
  return as === 'masked';
}

type Layers = {
  readonly rootsAs: 'read-only' | 'writable';
  readonly hidden: ReadonlyArray<Mount>;
  readonly own: string;
  readonly kept: ReadonlyArray<Mount>;
};

/**
 * Hidden paths are hidden again if a root would uncover them; a root inside a hidden folder stays visible. Masks come last: for every other
 * mount bubblewrap reads the list of all existing ones.
 */
function layered(roots: ReadonlyArray<string>, { rootsAs, hidden, own, kept }: Layers): ReadonlyArray<Mount> {
  const uncovered = [...hidden, { at: own, as: 'hidden' } as const].filter(({ at }) =>
    roots.some((root) => isInside(root, at) && at !== root),
  );
  const [masks, binds] = [kept.filter(isMask), kept.filter((mount) => !isMask(mount))];
  return [...hidden, ...roots.map((at) => ({ at, as: rootsAs })), ...binds, ...uncovered, ...masks];
}

function freshFor<T>(ms: number, look: () => T): () => T {
  let seen: { readonly value: T; readonly at: number } | null = null;
  return () => {
    if (seen === null || performance.now() - seen.at > ms) seen = { value: look(), at: performance.now() };
    return seen.value;
  };
}
