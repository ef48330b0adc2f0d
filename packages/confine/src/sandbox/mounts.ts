/**
 * How a sandboxed process sees a path. Later mounts cover earlier ones.
 * writable   the host's own file or folder
 * read-only  the same, unchangeable; it can be neither moved nor replaced either
 * hidden     a folder that looks empty
 */
export type Mount = {
  readonly at: string;
  readonly as: 'writable' | 'read-only' | 'hidden';
  /** Absent: the host's own path of the same name. */
  readonly from?: string;
};

/** A page: enough for an empty folder. What a process puts there anyway is gone with it. */
const EMPTY_BYTES = '4096';
/** Before the path of a folder that should look empty. */
export const EMPTY_FOLDER: ReadonlyArray<string> = ['--perms', '0555', '--size', EMPTY_BYTES, '--tmpfs'];

const ARGUMENTS: Readonly<Record<Mount['as'], (mount: Mount) => ReadonlyArray<string>>> = {
  writable: ({ at, from = at }) => ['--bind', from, at],
  'read-only': ({ at, from = at }) => ['--ro-bind', from, at],
  hidden: ({ at }) => [...EMPTY_FOLDER, at],
};

export function mountArguments(mounts: ReadonlyArray<Mount>): ReadonlyArray<string> {
  return mounts.flatMap((mount) => ARGUMENTS[mount.as](mount));
}
