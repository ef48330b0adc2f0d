import type { PathKey } from './path-bytes.ts';

/**
 * Permission bits of every stored file. Git knows only "executable or not"; the rest is here: the usual bits of each type of file in this
 * workspace, and the exceptions by name. A name that is no longer stored may linger; it is never looked up.
 */
export type Modes = {
  readonly plain: number;
  readonly executable: number;
  readonly odd: ReadonlyMap<PathKey, number>;
};

export const USUAL_MODES: Modes = { plain: 0o644, executable: 0o755, odd: new Map() };

export type SeenFile = { readonly path: PathKey; readonly permissions: number };

export const isExecutable = (permissions: number): boolean => (permissions & 0o100) !== 0;

export function permissionsOf(modes: Modes, path: PathKey, executable: boolean): number {
  return modes.odd.get(path) ?? (executable ? modes.executable : modes.plain);
}

/** The usual bits are decided once, by the first files that are seen. */
export function usualModes(seen: ReadonlyArray<SeenFile>): Modes {
  const most = (wanted: boolean, otherwise: number): number => {
    const counts = new Map<number, number>();
    for (const { permissions } of seen) {
      if (isExecutable(permissions) === wanted) counts.set(permissions, (counts.get(permissions) ?? 0) + 1);
    }
    return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? otherwise;
  };
  return { plain: most(false, 0o644), executable: most(true, 0o755), odd: new Map() };
}

/** The modes after some files were seen and others removed. The same object if nothing differs. */
export function withModes(modes: Modes, seen: ReadonlyArray<SeenFile>, gone: Iterable<PathKey>): Modes {
  const odd = new Map(modes.odd);
  for (const path of gone) odd.delete(path);
  for (const { path, permissions } of seen) {
    odd.delete(path);
    if (permissionsOf({ ...modes, odd }, path, isExecutable(permissions)) !== permissions) odd.set(path, permissions);
  }
  const same = odd.size === modes.odd.size && [...odd].every(([path, bits]) => modes.odd.get(path) === bits);
  return same ? modes : { ...modes, odd };
}

export function encodeModes({ plain, executable, odd }: Modes): string {
  return JSON.stringify({ plain, executable, odd: [...odd].toSorted(([a], [b]) => (a < b ? -1 : 1)) });
}

export function decodeModes(text: string): Modes {
  const value: { plain: number; executable: number; odd: Array<[PathKey, number]> } = JSON.parse(text);
  return { plain: value.plain, executable: value.executable, odd: new Map(value.odd) };
}
