import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeFolder, runs } from '@attractor/store/testing';
import { git } from '../test-support/git-world.ts';
import { objectsOf, writeCommit, writeObject, writeTree } from './write-object.ts';

const AT = '2000-01-01T00:00:00Z';

async function repositoryWith(hash: 'sha1' | 'sha256') {
  const root = makeFolder();
  await git(root, 'init', '--quiet', `--object-format=${hash}`);
  return { root, gitFolder: join(root, '.git') };
}

const segment = fc.constantFrom('a', 'a.b', 'a-b', 'a0', 'ä', 'é x', 'Z', 'dir');
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const files = fc
  .dictionary(path, fc.uint8Array({ maxLength: 40 }), { maxKeys: 6 })
  .filter((all) => !Object.keys(all).some((one) => Object.keys(all).some((other) => other.startsWith(`${one}/`))));

describe.each(['sha1', 'sha256'] as const)('objects that are written without git, by %s', (hash) => {
  it('are those that git makes, and git finds nothing wrong with them', async () => {
    const [ours, theirs] = [await repositoryWith(hash), await repositoryWith(hash)];
    const objects = await objectsOf(ours);
    await fc.assert(
      fc.asyncProperty(files, async (all) => {
        const blobs = new Map<string, string>();
        await git(theirs.root, 'rm', '-r', '--quiet', '--force', '--ignore-unmatch', '--', '.');
        for (const [name, bytes] of Object.entries(all)) {
          blobs.set(name, await writeObject(objects, 'blob', Buffer.from(bytes)));
          mkdirSync(dirname(join(theirs.root, name)), { recursive: true });
          writeFileSync(join(theirs.root, name), bytes);
        }
        await git(theirs.root, 'add', '--all');
        const tree = await writeTree(objects, blobs);
        expect(tree).toBe(await git(theirs.root, 'write-tree'));
        const author = { name: 'A <b>', email: 'a@example.test', date: AT };
        const first = await writeCommit(objects, { tree, author, message: 'one' });
        const second = await writeCommit(objects, { tree, parent: first, author, message: 'two' });
        await git(ours.root, 'update-ref', 'refs/heads/made', second);
        expect(await git(ours.root, 'log', '--format=%an %ae %at %s', 'made')).toBe(
          ['two', 'one'].map((said) => `A b a@example.test 946684800 ${said}`).join('\n'),
        );
      }),
      { numRuns: runs(6) },
    );
    expect(await git(ours.root, 'fsck', '--strict', '--full')).toBe('');
  });
});

describe('an object', () => {
  it('is readable by whom the repository is shared with, and is written once', async () => {
    const repository = await repositoryWith('sha1');
    const folder = join(repository.gitFolder, 'objects');
    chmodSync(folder, 0o2770);
    const objects = await objectsOf(repository);
    const ids = await Promise.all(Array.from({ length: 8 }, () => writeObject(objects, 'blob', Buffer.from('same'))));
    const [id = ''] = ids;
    const fan = join(folder, id.slice(0, 2));
    expect(readdirSync(fan)).toEqual([id.slice(2)]);
    expect([fan, join(fan, id.slice(2))].map((at) => statSync(at).mode & 0o7777)).toEqual([0o2770, 0o440]);
  });
});
