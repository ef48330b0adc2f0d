import { configText } from './config-text.ts';
import { readOwnIndex } from './no-submodule.ts';

/**
 * Whether the index of the checkout in this very folder tells git to overlook files, whatever becomes of them (`git update-index
 * --assume-unchanged` and `--skip-worktree`). False is certain; true says nothing: git has to be asked.
 *
 *   index = "DIRC" version count { entry } { extension } digest
 *   entry = 40 bytes of status, digest, flags [ further flags ] name
 *   name  = in versions 2 and 3 bytes, and 1 to 8 zeros up to a multiple of 8; in version 4 a length, bytes and one zero
 */
export function mayOverlookFiles({ cwd }: { readonly cwd: string }): boolean {
  const text = configText(cwd);
  const index = text === null ? null : readOwnIndex(cwd);
  if (text === null || index === null) return true;
  if (index.length === 0) return false;
  const digest = /objectformat/i.test(text) ? null : SHA1_BYTES;
  const end = digest === null ? null : endOfEntries(index, digest);
  return end === null || index.subarray(end).includes('link');
}

const SHA1_BYTES = 20;
const STATUS_BYTES = 40;
const HEAD_BYTES = 12;
const [OVERLOOKED, HAS_MORE, SKIPPED] = [0x8000, 0x4000, 0x4000];

/** Null where an entry is flagged, or the index is none that is known. */
function endOfEntries(index: Buffer, digest: number): number | null {
  if (index.length < HEAD_BYTES || index.toString('latin1', 0, 4) !== 'DIRC') return null;
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  if (version < 2 || version > 4) return null;
  let at = HEAD_BYTES;
  for (let left = count; left > 0; left -= 1) {
    const begin = at + STATUS_BYTES + digest;
    if (begin + 4 > index.length) return null;
    const flags = index.readUInt16BE(begin);
    const hasMore = (flags & HAS_MORE) !== 0;
    if ((flags & OVERLOOKED) !== 0 || (hasMore && (index.readUInt16BE(begin + 2) & SKIPPED) !== 0)) return null;
    const name = begin + (hasMore ? 4 : 2);
    const end = index.indexOf(0, version === 4 ? endOfLength(index, name) : name);
    if (end === -1) return null;
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return at;
}

/** All of its bytes but the last have the highest bit. */
function endOfLength(index: Buffer, begin: number): number {
  let at = begin;
  while (((index[at] ?? 0) & 0x80) !== 0) at += 1;
  return at + 1;
}
