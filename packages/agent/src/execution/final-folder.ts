import { closeSync, constants, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId } from '@attractor/base/id';

/**
 * How we learn the shell's last working directory: on exit the shell writes it to a descriptor that is an unnamed file. Nobody waits for
 * that descriptor to close, so background processes of the command do not delay anything. The command's exit code, output and line numbers
 * stay the same. The folder is not learned, and so stays unchanged, if the command replaces itself (`exec`) or sets a trap for EXIT.
 */
export type FolderWatch = {
  readonly command: string;
  readonly descriptor: { readonly inChild: number; readonly ours: number };
  /** Called when the shell has ended; null if it reported no folder. */
  readonly said: () => string | null;
  readonly close: () => void;
};

/** A number that neither commands nor bash itself normally use. */
const IN_CHILD = 97;
const PREFIX = `trap 'builtin pwd -P 2>/dev/null >&${IN_CHILD} || :' EXIT; `;
/** Without these words a shell stays in its folder: nearly all commands run untouched. */
const MAY_MOVE = /\b(?:cd|pushd|popd|source|eval)\b|(?:^|[\s;&|({])\.\s/;
const MAX_BYTES = 4_096;

/** Null if the command does not change its folder. */
export function watchFolder(command: string): FolderWatch | null {
  if (!MAY_MOVE.test(command)) return null;
  const ours = openNameless();
  return {
    command: PREFIX + command,
    descriptor: { inChild: IN_CHILD, ours },
    said: () => {
      const bytes = Buffer.alloc(MAX_BYTES);
      const said = bytes.toString('utf8', 0, readSync(ours, bytes, 0, MAX_BYTES, 0)).replace(/\n$/, '');
      return path.isAbsolute(said) ? said : null;
    },
    close: () => closeSync(ours),
  };
}

const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

function openNameless(): number {
  const file = path.join(tmpdir(), `attractor-${newId('cwd')}`);
  const descriptor = openSync(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  unlinkSync(file);
  return descriptor;
}
