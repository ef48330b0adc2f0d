import { createHash, randomUUID } from 'node:crypto';
import { chmod, link, lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import { type GitPerson, readRepositoryConfig } from '@attractor/git';
import type { Repository } from './repository.ts';

const pack = promisify(deflate);

/** Where the objects of a repository are, and by which hash they are named. */
export type Objects = { readonly folder: string; readonly hash: 'sha1' | 'sha256' };

export async function objectsOf({ root, gitFolder }: Repository): Promise<Objects> {
  const config = await readRepositoryConfig({ cwd: root });
  const isNew = config.some(({ key, value }) => key === 'extensions.objectformat' && value === 'sha256');
  return { folder: join(gitFolder, 'objects'), hash: isNew ? 'sha256' : 'sha1' };
}

/** Puts one object among those that git keeps in files of their own, as git would, without starting it. */
export async function writeObject(
  { folder, hash }: Objects,
  kind: 'blob' | 'tree' | 'commit',
  content: Buffer,
): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
  const id = createHash(hash).update(whole).digest('hex');
  const [fan, file] = [join(folder, id.slice(0, 2)), join(folder, id.slice(0, 2), id.slice(2))];
  if ((await lstat(file).catch(() => null)) !== null) return id;
  // A repository that several people share shows it in the mode of this folder.
  const { mode } = await lstat(folder);
  if ((await mkdir(fan, { recursive: true })) !== undefined) await chmod(fan, mode & 0o7777);
  const made = join(fan, `tmp_obj_${randomUUID()}`);
  try {
    await writeFile(made, await pack(whole, { level: constants.Z_BEST_SPEED }), { flag: 'wx', mode: 0o444 });
    await chmod(made, mode & 0o444);
    await link(made, file).catch(unlessThere);
  } finally {
    await rm(made, { force: true });
  }
  return id;
}

/** Somebody else put the same object there meanwhile. */
function unlessThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

/** Plain files by their paths, as a tree. */
export async function writeTree(objects: Objects, files: ReadonlyMap<string, string>): Promise<string> {
  const below = new Map<string, Map<string, string>>();
  const entries: Array<{ readonly mode: string; readonly name: string; readonly id: string }> = [];
  for (const [path, id] of files) {
    const at = path.indexOf('/');
    if (at === -1) entries.push({ mode: '100644', name: path, id });
    else below.set(path.slice(0, at), (below.get(path.slice(0, at)) ?? new Map()).set(path.slice(at + 1), id));
  }
  for (const [name, inner] of below) entries.push({ mode: '40000', name, id: await writeTree(objects, inner) });
  const sorted = entries
    .map((entry) => ({ ...entry, order: Buffer.from(entry.mode === '40000' ? `${entry.name}/` : entry.name) }))
    .toSorted((a, b) => Buffer.compare(a.order, b.order));
  const content = sorted.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
  return writeObject(objects, 'tree', Buffer.concat(content));
}

export type NewCommit = {
  readonly tree: string;
  readonly parent?: string;
  readonly author: Required<GitPerson>;
  readonly message: string;
};

export function writeCommit(objects: Objects, { tree, parent, author, message }: NewCommit): Promise<string> {
  const plain = (text: string): string => text.replace(/[<>\n\0]/g, '').trim();
  const who = `${plain(author.name)} <${plain(author.email)}> ${Math.floor(Date.parse(author.date) / 1000)} +0000`;
  const parents = parent === undefined ? [] : [`parent ${parent}`];
  const text = [`tree ${tree}`, ...parents, `author ${who}`, `committer ${who}`, '', `${message}\n`].join('\n');
  return writeObject(objects, 'commit', Buffer.from(text));
}
