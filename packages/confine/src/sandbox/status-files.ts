import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { STATUS_OPTION } from './namespaces.ts';

/**
 * Where bubblewrap writes how far it came. It mounts what was there when the command was planned; a socket that goes away in between makes
 * it give up with the exit code 1, which a command may have as well. Only this file tells the two apart.
 */
export type StatusFiles = { readonly hold: () => StatusFile };

export type StatusFile = {
  readonly at: string;
  /** Of a command that has ended. True as well where it can't be known. */
  readonly hasBegun: () => boolean;
  readonly release: () => void;
};

export function createStatusFiles(folder: string, lacks: ReadonlyArray<string>): StatusFiles {
  let count = 0;
  const isTold = !lacks.includes(STATUS_OPTION);
  return {
    hold: () => {
      const at = path.join(folder, `status-${++count}`);
      return { at, hasBegun: () => !isTold || saysExit(at), release: () => rmSync(at, { force: true }) };
    },
  };
}

/** Written for whatever was started inside, and for nothing else. */
function saysExit(at: string): boolean {
  try {
    return readFileSync(at, 'utf8').includes('"exit-code"');
  } catch {
    return true;
  }
}
