import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Variables } from '@attractor/system';
import type { HostileWorld } from './hostile-git.ts';

const BWRAP = '/usr/bin/bwrap';
const STRACE = '/usr/bin/strace';

/** Whether commands can be traced on this machine. */
export function canTrace(): boolean {
  const probe = [BWRAP, '--ro-bind', '/', '/', '--dev', '/dev', STRACE, '-qq', '-o', '/dev/null', 'true'];
  return existsSync(STRACE) && existsSync(BWRAP) && spawnSync(probe[0] ?? '', probe.slice(1)).status === 0;
}

/**
 * Really runs commands one after the other, each by a shell of its own in the workspace of a world, without network, and tells what they
 * did that reading a repository does not: started a program, wrote anything but git's index, connected, or opened what lies outside.
 */
export function traceGit(commands: ReadonlyArray<string>, world: HostileWorld, variables: Variables): string[] {
  const logs = join(world.top, 'traces');
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs);
  const box = ['--ro-bind', '/', '/', '--bind', world.top, world.top, '--proc', '/proc', '--dev', '/dev'];
  const apart = ['--unshare-net', '--unshare-pid', '--die-with-parent', '--chdir', world.ws];
  const strace = [STRACE, '-y', '-qq', '-s', '300', '-e', 'signal=none', '-e', CALLS, '-ff', '-o', `${logs}/of`];
  const each = 'for one; do /bin/bash --norc -c "$one" </dev/null >/dev/null 2>&1; done';
  const run = spawnSync(BWRAP, [...box, ...apart, ...strace, '/bin/bash', '--norc', '-c', each, 'bash', ...commands], {
    env: { ...variables },
    stdio: 'ignore',
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  const late = run.error === undefined ? [] : ['does not end'];
  // One file for each process: in a common one a call may be torn in two by another's.
  const texts = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  return [...new Set([...late, ...findings(texts.length === 0 ? 'no trace' : texts.join('\n'), world)])];
}

const CALLS =
  'trace=execve,openat,open,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,link,linkat,symlink,symlinkat,chmod,fchmod,fchmodat,truncate,ftruncate,mknod,mknodat,connect,sendto';

const STARTS = /\bexecve\("([^"]*)", .* = 0$/;
const OPENED = /\b(?:openat|open)\(.*\) = \d+<(.*)>$/;
const WRITING = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/;
const CHANGES = /\b((?:creat|unlink|rename|mkdir|link|symlink|chmod|fchmod|truncate|ftruncate|mknod)\w*)\((.*) = 0$/;
/** A shell that is not told its name asks the system's directory of users. */
const CONNECTS = /\b(?:connect|sendto)\((?!.*nscd)/;

/** A shell, git and the parts it is made of, what shows a page of its manual; `head` is in the commands. */
const EXPECTED_PROGRAM =
  /^(?:\/usr)?\/bin\/(?:bash|git|sh|head)$|^\/usr\/bin\/(?:man|preconv|tbl|nroff|col|gzip|locale|groff|troff|grotty)$|^\/usr\/lib\/git-core\/git[\w-]*$/;
/** Git keeps what it learned of unchanged files in its index, under a lock, and in the part of it that is shared. */
const EXPECTED_CHANGE = /\/?(?:index\.lock|index|sharedindex[._]\w+)"|index\.lock/;

/** Git looks whether a folder that it does not track is a repository of its own, and shows nothing of that. */
const NESTED = /\/other\/\.git\/(?:HEAD|config|commondir|packed-refs|refs\/heads(?:\/main)?)$/;

function findings(log: string, { top, home }: HostileWorld): ReadonlyArray<string> {
  const isOutside = (file: string): boolean =>
    (file.startsWith(`${top}/other`) && !NESTED.test(file)) || file.startsWith(`${home}/letters`);
  return log.split('\n').flatMap((line) => {
    if (line === 'no trace') return [line];
    const started = STARTS.exec(line)?.[1];
    if (started !== undefined) return EXPECTED_PROGRAM.test(started) ? [] : [`starts ${started}`];
    const opened = OPENED.exec(line)?.[1];
    if (opened !== undefined && isOutside(opened)) return [`reads ${opened}`];
    if (opened !== undefined && WRITING.test(line))
      return /\/dev\/(?:null|tty)|index\.lock$|sharedindex_/.test(opened) ? [] : [`writes ${opened}`];
    const changed = CHANGES.exec(line);
    if (changed !== null) return EXPECTED_CHANGE.test(line) ? [] : [`${changed[1]} ${changed[2]?.slice(0, 120)}`];
    return CONNECTS.test(line) ? [`connects ${line.slice(0, 120)}`] : [];
  });
}
