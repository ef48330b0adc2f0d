import { closeSync, constants, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId } from '@attractor/base/id';

/**
 * How the shell's last working directory is learned: when it exits it writes it to a descriptor that is a file without a name. Nobody waits
 * for that descriptor to be closed, so what a command leaves in the background holds nothing up. Exit code, output and line numbers of the
 * command stay as they are. Not learned, and so unchanged, is the folder of a command that replaces itself (`exec`) or sets a trap for EXIT.
 */
export type FolderWatch = {
  readonly command: string;
  readonly descriptor: { readonly inChild: number; readonly ours: number };
  /** Asked when the shell is over; null when it did not say. */
  readonly said: () => string | null;
  readonly close: () => void;
};

/** Out of the way of those that commands use and that bash takes for itself. */
const IN_CHILD = 97;
const PREFIX = `trap 'builtin pwd -P 2>/dev/null >&${IN_CHILD} || :' EXIT; `;
/** Words without which a shell stays where it is: nearly all commands run untouched. */
const MAY_MOVE = /\b(?:cd|pushd|popd|source|eval)\b|(?:^|[\s;&|({])\.\s/;
const MAX_BYTES = 4_096;

/** Null when the command goes nowhere. */
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
