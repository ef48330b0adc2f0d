import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { HostVariables } from './passed-on.ts';

/** Where a program is; `searched` are the folders, for a person whose program was not found, `unusable` what is there and can't be run. */
export type FoundProgram = {
  readonly file: string | null;
  readonly searched: ReadonlyArray<string>;
  readonly unusable: string | null;
};

export async function findProgram(name: string, env: HostVariables): Promise<FoundProgram> {
  const folders = [...new Set((env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder)))];
  const [files, searched] = name.includes('/') ? [[name], [name]] : [folders.map((at) => join(at, name)), folders];
  for (const file of files) if (await isExecutable(file)) return { file, searched, unusable: null };
  return { file: null, searched, unusable: files.find((file) => existsSync(file)) ?? null };
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
