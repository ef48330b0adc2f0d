import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RunOverrides } from '@attractor/platform';
import { CommandFailure, EXIT } from '@attractor/console';

/** The folder that a flag names, from the top of the file system on. */
export function existingFolder(flag: string, asked: string): string {
  const folder = resolve(asked);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new CommandFailure(`${flag}: ${folder} is not a folder.`, EXIT.notFound);
}

/** What `--add-dir` chooses for the runs of a task. */
export function addedFolders({
  addDir,
}: {
  readonly addDir: ReadonlyArray<string>;
}): Pick<RunOverrides, 'additionalDirectories'> {
  const additionalDirectories = addDir.map((folder) => existingFolder('--add-dir', folder));
  return additionalDirectories.length === 0 ? {} : { additionalDirectories };
}
