import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { git } from '@attractor/repository';
import { refuse, type Result } from '@attractor/store';

/**
 * A repository of its own in a new folder, with `main` at a commit of another one and its files checked out. The objects are borrowed:
 * the other repository is only read, and nothing of its configuration counts here.
 */
export async function borrowRepository(
  folder: string,
  from: { readonly root: string; readonly commit: string },
): Promise<Result<null>> {
  const asked = await git(['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--show-object-format'], {
    cwd: from.root,
  });
  if (!asked.ok) return asked;
  const [objects = '', format = 'sha1'] = asked.value.split('\n');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = await git(['init', '--quiet', '--initial-branch=main', `--object-format=${format}`], { cwd: folder });
  if (!made.ok) return made;
  await mkdir(join(folder, '.git', 'objects', 'info'), { recursive: true });
  await writeFile(join(folder, '.git', 'objects', 'info', 'alternates'), `${objects}\n`);
  const steps = [
    ['cat-file', '-e', `${from.commit}^{tree}`],
    ['update-ref', 'refs/heads/main', from.commit],
    ['read-tree', '--reset', '-u', from.commit],
  ];
  for (const step of steps) {
    const ran = await git(step, { cwd: folder, timeoutMs: CHECKOUT_MS });
    if (!ran.ok)
      return refuse('unavailable', `${from.root} can't give the commit ${from.commit}: ${ran.error.message}`);
  }
  return done(null);
}

const CHECKOUT_MS = 10 * 60_000;
