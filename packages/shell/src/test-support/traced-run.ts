import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Really runs a command, in a sandbox without network where everything but a scratch folder is read-only, and reports what it tried beyond
 * reading: started another program, opened a file for writing, changed a name, opened a connection, or did not end.
 */
export function createTracer(world: World): ((command: string) => ReadonlyArray<string>) | null {
  const trace = (command: string): Traced => runTraced(command, world);
  if (!existsSync(BWRAP) || !existsSync(STRACE) || trace('true').log === '') return null;
  return (command) => {
    const { late, log } = trace(command);
    return [...new Set([...(late ? ['does not end'] : []), ...findings(command, log), ...reachedOutside(log, world)])];
  };
}

/**
 * `project` is shown at `place`; `scratch` is where the trace goes. What lies in `outside` is there to be read, and reading it is told.
 * `programs` are folders that come first in PATH.
 */
export type World = {
  readonly project: string;
  readonly place: string;
  readonly scratch: string;
  readonly outside?: string;
  readonly programs?: ReadonlyArray<string>;
};

type Traced = { readonly late: boolean; readonly log: string };

const BWRAP = '/usr/bin/bwrap';
const STRACE = '/usr/bin/strace';
const CALLS =
  'trace=execve,openat,creat,unlinkat,renameat,renameat2,mkdirat,linkat,symlinkat,fchmod,fchmodat,fchown,fchownat,truncate,ftruncate,mknodat,socket';
const ENVIRONMENT = { PATH: '/usr/bin:/bin', HOME: '/home/me', LANG: 'C.UTF-8', GIT_PAGER: 'cat', PAGER: 'cat' };

function runTraced(command: string, { project, place, scratch, outside, programs = [] }: World): Traced {
  const log = join(scratch, 'trace');
  const box = ['--ro-bind', '/', '/', '--tmpfs', '/tmp', '--tmpfs', '/home', '--ro-bind', project, place];
  const shared = ['--bind', scratch, '/tmp/scratch', '--proc', '/proc', '--dev', '/dev', '--chdir', place];
  const seen = outside === undefined ? [] : ['--ro-bind', outside, outside];
  const apart = ['--unshare-net', '--unshare-pid', '--die-with-parent'];
  const strace = [STRACE, '-f', '-qq', '-y', '-s', '200', '-e', 'signal=none', '-e', CALLS, '-o', '/tmp/scratch/trace'];
  const run = spawnSync(
    BWRAP,
    [...box, ...seen, ...shared, ...apart, ...strace, '/bin/bash', '--norc', '-c', command],
    {
      env: { ...ENVIRONMENT, PATH: [...programs, ENVIRONMENT.PATH].join(':') },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: 20_000,
      killSignal: 'SIGKILL',
    },
  );
  return { late: run.error !== undefined, log: existsSync(log) ? readFileSync(log, 'utf8') : '' };
}

const STARTS = /\bexecve\("([^"]*)", .* = 0$/;
const OPENS = /\bopenat\([^,]*, "([^"]*)", [^)]*(?:O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND)/;
const CHANGES = /\b((?:creat|unlink|rename|mkdir|link|symlink|fchmod|fchown|truncate|ftruncate|mknod)\w*)\((.*)/;
const CONNECTS = /\bsocket\((?!AF_UNIX|AF_NETLINK)/;

/** Null devices, and git's lock, which it takes to remember unchanged files. */
const EXPECTED_FILE = /^(?:\/dev\/(?:null|tty)|.*\/\.git\/index\.lock)$/;

/** The programs that the named program consists of. */
const PARTS: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ['egrep', ['grep']],
  ['fgrep', ['grep']],
  ['help', 'man preconv tbl nroff col gzip locale groff troff grotty'.split(' ')],
  ['diff3', ['diff']],
  ['locale', ['gzip']],
  ['yq', ['jq']],
  ['zcat', ['gzip']],
]);

/** With `-y` the trace tells where an opened file really is. */
function reachedOutside(log: string, { outside, programs = [] }: World): ReadonlyArray<string> {
  const reached = log.split('\n').flatMap((line) => {
    const opened = /\bopenat\(.* = \d+<([^>]*)>$/.exec(line)?.[1];
    const started = STARTS.exec(line)?.[1];
    if (outside !== undefined && opened?.startsWith(outside) === true) return [`reads ${opened}`];
    return programs.some((folder) => started?.startsWith(`${folder}/`) === true) ? [`starts ${started}`] : [];
  });
  return [...new Set(reached)];
}

function findings(command: string, log: string): ReadonlyArray<string> {
  const plain = command.replaceAll(/["'\\]/g, '');
  const names = new Set(['bash', ...plain.split(/[\s|&;()<>]+/)]);
  for (const name of names) for (const part of PARTS.get(name) ?? []) names.add(part);
  return log.split('\n').flatMap((line) => {
    const started = STARTS.exec(line)?.[1];
    if (started !== undefined)
      return names.has(started.slice(started.lastIndexOf('/') + 1)) ? [] : [`starts ${started}`];
    const opened = OPENS.exec(line)?.[1];
    // Some open a folder this way to learn that it is one.
    if (opened !== undefined)
      return EXPECTED_FILE.test(opened) || line.includes('EISDIR') ? [] : [`opens ${opened} for writing`];
    const changed = CHANGES.exec(line);
    if (changed !== null) return /index\.lock/.test(line) ? [] : [`${changed[1]} ${changed[2]?.slice(0, 80)}`];
    return CONNECTS.test(line) ? ['connects'] : [];
  });
}
