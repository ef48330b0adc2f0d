import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { configText, gitFolderOf } from './config-text.ts';

/** How the index writes the mode of a submodule, wherever an entry begins. */
const SUBMODULE = Buffer.from([0x00, 0x00, 0xe0, 0x00]);
/** Parts of an index that leave entries to another file, or to a tree. */
const ELSEWHERE = ['link', 'sdir'];

/**
 * Whether the index of the checkout in this very folder lists no submodule for certain: its bytes hold nothing that could be one. False
 * says nothing: git has to be asked.
 */
export function listsNoSubmodule({
  cwd,
  variables = {},
}: {
  readonly cwd: string;
  readonly variables?: Readonly<Record<string, string>>;
}): boolean {
  const { GIT_INDEX_FILE: told = '/', ...others } = variables;
  const isPlain = path.isAbsolute(told) && Object.keys(others).every((name) => !name.startsWith('GIT_'));
  const gitDir = isPlain && configText(cwd) !== null ? gitFolderOf(cwd) : null;
  const index = gitDir === null ? null : readIndex(told === '/' ? path.join(gitDir, 'index') : told);
  return index !== null && ![SUBMODULE, ...ELSEWHERE].some((mark) => index.includes(mark));
}

/** The bytes of the index of the checkout in this very folder; null: git has to be asked. */
export function readOwnIndex(cwd: string): Buffer | null {
  const gitDir = gitFolderOf(cwd);
  return gitDir === null ? null : readIndex(path.join(gitDir, 'index'));
}

const MOST_BYTES = 16 << 20;
/** Never waits for a pipe, and follows no link. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Empty if there is none yet; null if it is no file of moderate size. */
function readIndex(file: string): Buffer | null {
  try {
    const opened = openSync(file, FLAGS);
    try {
      const stats = fstatSync(opened);
      return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(opened) : null;
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? Buffer.alloc(0) : null;
  }
}
