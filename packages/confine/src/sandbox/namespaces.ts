/**
 * What every sandboxed process has of its own, and what it lacks: no capability, no way to gain one (bubblewrap always sets no_new_privs),
 * no further user namespace, no terminal. It dies with its parent.
 */
export const NAMESPACES: ReadonlyArray<string> = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-net',
  '--unshare-cgroup-try',
  '--disable-userns',
  '--new-session',
  '--die-with-parent',
  '--cap-drop',
  'ALL',
];

/** With a descriptor, to which bubblewrap writes what becomes of the command. */
export const STATUS_OPTION = '--json-status-fd';
