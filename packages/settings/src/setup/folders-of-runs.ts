import { realpathSync } from 'node:fs';
import { isInside } from '@attractor/confine';

/** Further folders that a run may work in, and a line for each that it may not. */
export type FoldersOfRuns = { readonly folders: ReadonlyArray<string>; readonly leftOut: ReadonlyArray<string> };

/**
 * A run works in a checkout of its own, and never in the person's: of the folders that were added, one inside the repository is meant in
 * the checkout, where it is anyway, and one around the repository is none for runs.
 */
export function foldersOfRuns(folders: ReadonlyArray<string>, repository: string): FoldersOfRuns {
  const top = realOr(repository);
  const apart = folders.filter((folder) => !isInside(top, realOr(folder)));
  const around = apart.filter((folder) => isInside(realOr(folder), top));
  return {
    folders: apart.filter((folder) => !around.includes(folder)),
    leftOut: around.map((folder) => `${folder} was added, but tasks do not use it: it contains your own checkout.`),
  };
}

function realOr(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
