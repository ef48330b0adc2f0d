import { existsSync } from 'node:fs';
import { isInside } from '../containment/resolve.ts';
import { findHostSockets } from './host-sockets.ts';
import type { Mount } from './mounts.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { Secrets } from './secrets.ts';

type Question = {
  /** Folders of the host that stay visible inside a place that is otherwise hidden. */
  readonly shown: ReadonlyArray<string>;
  readonly secrets: Secrets;
  readonly own: PrivateFolder;
};

type SocketPlaces = {
  readonly roots: ReadonlyArray<string>;
  readonly homes: ReadonlyArray<string>;
  /** How long the contents of folders count as known. */
  readonly lookAgainMs: number;
};

/** The system's own places that commands have others of. */
const ELSEWHERE = ['/tmp', '/var/tmp', '/run', '/dev', '/proc'];

/** An empty file over each socket and named pipe of the host that a command would see. */
export function coveredSockets({
  roots,
  homes,
  lookAgainMs,
}: SocketPlaces): (question: Question) => ReadonlyArray<Mount> {
  const sockets = findHostSockets();
  const looked = new Map<string, { readonly found: ReadonlyArray<string>; readonly at: number }>();
  const lying = (folder: string): ReadonlyArray<string> => {
    const before = looked.get(folder);
    if (before !== undefined && performance.now() - before.at < lookAgainMs) return before.found;
    const found = sockets.lyingIn([folder]);
    looked.set(folder, { found, at: performance.now() });
    return found;
  };
  return ({ shown, secrets, own }) => {
    const folders = [...new Set([...homes, ...shown])].filter((folder) => !roots.includes(folder));
    const outside = folders.flatMap(lying).filter((at) => !roots.some((root) => isInside(root, at)) && existsSync(at));
    const all = new Set([...sockets.listening(), ...outside]);
    const hidden = [...ELSEWHERE, ...secrets.hidden, own.at];
    const visible = [...shown, ...secrets.stillRead];
    return [...all]
      .filter((at) => depthOf(visible, at) >= depthOf(hidden, at))
      .map((at) => ({ at, as: 'read-only', from: own.emptyFile }));
  };
}

/** If several contain each other the innermost decides. */
function depthOf(folders: ReadonlyArray<string>, at: string): number {
  return Math.max(0, ...folders.filter((folder) => isInside(folder, at)).map(({ length }) => length));
}
