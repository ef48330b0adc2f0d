import path from 'node:path';
import { type AnchoredFolder, anchorFolder, isStillHeld, resolveInside } from '@attractor/confine';
import { EnvironmentError } from '../types/index.ts';
import { environmentError } from '@attractor/system';

/** The root stays open between commands: its descriptor shows whether the path still leads to the same folder. */
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

/** The folder is held open from the check until the command starts, so no swap in between can redirect the command. */
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
