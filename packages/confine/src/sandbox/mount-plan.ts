import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../containment/resolve.ts';
import type { Mount } from './mounts.ts';
import { createPlaceholders, type Placeholders } from './placeholders.ts';
import type { PrivateFolder } from './private-folder.ts';
import { findNestedNames, protectedMounts } from './protected-mounts.ts';
import type { SandboxedCommand, SandboxPolicy } from './sandbox-policy.ts';
import { findSecrets, homesHere, secretMounts, type Secrets } from './secrets.ts';
import { watchNames } from './watched-names.ts';

/** What commands see of the workspace and of the homes, from what is there when each of them starts. */
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
/** Secrets, and protected names below the roots, are looked for again after this long. */
const LOOK_AGAIN_MS = 30_000;

export function createMountPlan(policy: SandboxPolicy): MountPlan {
  const roots = policy.roots.map(realOr);
  const homes = [...new Set((policy.homes ?? homesHere()).map(realOr))];
  const placeholders = createPlaceholders();
  const secrets = freshFor(LOOK_AGAIN_MS, () => findSecrets(homes, policy.denyRead?.map(realOr)));
  const nested = freshFor(LOOK_AGAIN_MS, () => roots.map((root) => [root, findNestedNames(root)] as const));
  const hold: MountPlan['hold'] = ({ argv, readOnly }, { folder, gate }) => {
    const names = nested().map(([root, below]) =>
      protectedMounts(root, { homes, nested: below, isOurs: placeholders.isOurs }),
    );
    const watch = watchNames(
      names.flatMap(({ watched }) => watched),
      names.flatMap(({ linkFree }) => linkFree),
    );
    const protectedNames = [...names.flatMap(({ mounts }) => mounts), ...unchangeable(policy.denyWrite)];
    const held = new Set(placeholders.hold(protectedNames.filter(isMask).map(({ at }) => at)));
    const mounts = [
      ...stillVisible([...homes, ...(policy.readable ?? [])], argv),
      ...gate,
      ...layered(roots, {
        rootsAs: readOnly === true ? 'read-only' : 'writable',
        hidden: secretMounts(secrets(), folder.emptyFile),
        own: folder.at,
        kept: protectedNames.filter((mount) => !isMask(mount) || held.has(mount.at)),
      }),
    ];
    return {
      mounts,
      release: () => {
        watch.restore();
        // What ran beside the command is being ended at this moment, and may act until it is.
        setTimeout(watch.restore, LAST_LOOK_MS).unref();
        placeholders.release();
      },
    };
  };
  return { roots, secrets, hold, removePlaceholders: placeholders.removeNow };
}

/** A home, or a program that a person starts, may lie below /tmp, in whose place there is another one inside. */
function stillVisible(named: ReadonlyArray<string>, argv: ReadonlyArray<string>): ReadonlyArray<Mount> {
  const files = [process.execPath, ...named, ...argv.filter((word) => path.isAbsolute(word)).map(aroundFile)];
  return unchangeable(files.filter((file) => TEMPORARY.some((folder) => isInside(folder, realOr(file)))));
}

const TEMPORARY = ['/tmp', '/var/tmp'];

/** A script comes with the files beside it, unless it lies in everybody's folder. */
function aroundFile(file: string): string {
  const folder = path.dirname(realOr(file));
  return TEMPORARY.includes(folder) ? file : folder;
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
 * What is hidden is hidden again where a root would uncover it; a root inside a hidden folder stays visible. Masks come last: for every
 * other mount bubblewrap reads the list of all that are there by then.
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

function realOr(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return path.resolve(file);
  }
}
