import path from 'node:path';
import { type AnchoredFolder, anchorFolder, isStillHeld, resolveInside } from '@attractor/confine';

import { EnvironmentError } from '../types/index.ts';
import { environmentError } from '@attractor/system';

/** The root stays held between commands: one look at its descriptor tells whether it still is what it is called. */
export function holdRoot(root: string): { readonly folder: () => AnchoredFolder; readonly close: () => void } {
  let held: AnchoredFolder | null = null;
  const close = (): void => {
    held?.close();
    held = null;
  };
  return {
    folder: () => {
      if (held === null || !isStillHeld(held)) {
        close();
        held = folderFor(root, '.');
      }
      return { ...held, close: () => undefined };
    },
    close,
  };
}

/** Held open from the check to the start of the command: no swap in between leads it elsewhere. */
export function folderFor(root: string, asked: string): AnchoredFolder {
  const { real, stats } = resolveInside(root, asked);
  if (stats?.isDirectory() === true) {
    try {
      return anchorFolder(root, real);
    } catch (error) {
      throw environmentError(error, asked);
    }
  }
  throw new EnvironmentError({
    code: 'not_a_directory',
    message: `${path.resolve(root, asked)} is not a folder that exists.`,
  });
}
