import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git, type Repository } from '@attractor/repository';
import { borrowRepository } from './borrowed-repository.ts';
import { readChange, repositoryOf } from './change-parts.ts';
import type { BundlePart, FileMode } from './format.ts';
import { byteRedactor, filePieces } from './pieces.ts';
import type { WrittenRun } from './sources.ts';

/**
 * The files of the base commit, so that the run can be run again where its repository is not. They are as they were committed, but for
 * secrets. They are read from a checkout of their own, which is gone afterwards.
 */
export async function* baseParts(written: WrittenRun): AsyncGenerator<BundlePart> {
  const { baseCommit } = await readChange(written);
  const repository = await repositoryOf(written);
  if (baseCommit === null || repository === null) {
    yield { part: 'missing', text: 'The files of the base: the run did not begin, or its repository is not there.' };
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'attractor-base-'));
  try {
    yield* treeParts(written, { repository, commit: baseCommit, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Place = { readonly repository: Repository; readonly commit: string; readonly folder: string };

async function* treeParts({ secrets }: WrittenRun, { repository, commit, folder }: Place): AsyncGenerator<BundlePart> {
  const borrowed = await borrowRepository(folder, { root: repository.root, commit });
  const tree = await git(['rev-parse', `${commit}^{tree}`], { cwd: repository.root });
  const listed = await git(['ls-files', '--stage', '-z'], { cwd: folder, maxOutputBytes: MAX_LIST_BYTES });
  if (!borrowed.ok || !tree.ok || !listed.ok) {
    yield { part: 'missing', text: 'The files of the base: git could not read them.' };
    return;
  }
  const redactor = byteRedactor(secrets);
  const masked: string[] = [];
  const files = listed.value.split('\0').flatMap(readEntry);
  for (const { mode, path } of files) {
    const file = join(folder, path);
    if (mode === '120000') yield { part: 'base_file', path, mode, text: redactor.text(await readlink(file)) };
    else
      for await (const { isMasked, ...piece } of filePieces(file, redactor)) {
        yield { part: 'base_file', path, mode, ...piece };
        if (isMasked) masked.push(path);
      }
  }
  yield { part: 'base', value: { commit, tree: tree.value, files: files.length, masked } };
}

const MAX_LIST_BYTES = 256 << 20;
const ENTRY = /^(100644|100755|120000) [0-9a-f]+ \d\t(.+)$/s;

function readEntry(entry: string): ReadonlyArray<{ readonly mode: FileMode; readonly path: string }> {
  const [, mode, path] = ENTRY.exec(entry) ?? [];
  if (path === undefined || (mode !== '100644' && mode !== '100755' && mode !== '120000')) return [];
  return [{ mode, path }];
}
