import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type IgnoreFile, isIgnored, parseIgnoreFile } from '@attractor/files';

/** Files and folders of the workspace by their paths, for `@`. They are listed once, and again after something may have changed. */
export type FileNames = {
  readonly list: () => Promise<ReadonlyArray<string>>;
  readonly forget: () => void;
};

const MOST = 50_000;
const IGNORE_FILES: ReadonlySet<string> = new Set(['.gitignore', '.ignore']);
const NEVER: ReadonlySet<string> = new Set(['.git', 'node_modules']);

export function createFileNames(folder: string): FileNames {
  let listing: Promise<ReadonlyArray<string>> | null = null;
  return {
    list: () => (listing ??= namesBelow(folder)),
    forget: () => {
      listing = null;
    },
  };
}

/** The shallowest first; folders end with a slash. What an ignore file leaves out is left out, and links are not followed. */
async function namesBelow(root: string): Promise<ReadonlyArray<string>> {
  const names: string[] = [];
  let level: ReadonlyArray<Visit> = [{ folder: '', ignores: [] }];
  while (level.length > 0 && names.length < MOST) {
    const next: Visit[] = [];
    for (const visit of level) {
      if (names.length >= MOST) break;
      next.push(...(await visitFolder(root, visit, names)));
    }
    level = next;
  }
  return names.slice(0, MOST);
}

type Visit = { readonly folder: string; readonly ignores: ReadonlyArray<IgnoreFile> };

async function visitFolder(root: string, { folder, ignores }: Visit, names: string[]): Promise<ReadonlyArray<Visit>> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch((): Dirent[] => []);
  const rules = [...ignores, ...(await ignoresIn(root, folder, entries))];
  const below: Visit[] = [];
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (NEVER.has(entry.name)) continue;
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const isFolder = entry.isDirectory();
    if (isIgnored(rules, name, isFolder ? 'folder' : 'file')) continue;
    names.push(isFolder ? `${name}/` : name);
    if (isFolder) below.push({ folder: name, ignores: rules });
  }
  return below;
}

async function ignoresIn(
  root: string,
  folder: string,
  entries: ReadonlyArray<Dirent>,
): Promise<ReadonlyArray<IgnoreFile>> {
  const files = entries.filter((entry) => entry.isFile() && IGNORE_FILES.has(entry.name));
  const read = files.map(async ({ name }) => {
    const text = await readFile(path.join(root, folder, name), 'utf8').catch(() => '');
    return parseIgnoreFile(folder, text);
  });
  return Promise.all(read);
}
