import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Variables } from '@attractor/system';

type World = { readonly top: string; readonly ws: string };

const BWRAP = '/usr/bin/bwrap';
const STRACE = '/usr/bin/strace';

/** Really runs commands, each by a shell of its own in the workspace, and tells which of them opened or ran something of `trap` in there. */
export function traceReads(commands: ReadonlyArray<string>, { top, ws }: World, variables: Variables): string[] {
  const logs = join(top, 'traces');
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs);
  const box = ['--ro-bind', '/', '/', '--bind', top, top, '--proc', '/proc', '--dev', '/dev'];
  const apart = ['--unshare-net', '--unshare-pid', '--die-with-parent', '--chdir', ws];
  const strace = [STRACE, '-y', '-qq', '-s', '300', '-e', 'signal=none', '-e', 'trace=execve,openat,open', '-ff'];
  const own = ['env', '-i', ...Object.entries(variables).map(([name, value = '']) => `${name}=${value}`)];
  for (const [index, command] of commands.entries()) {
    const inside = [...own, ...strace, '-o', `${logs}/${index}`, '/bin/bash', '--norc', '-c', command];
    spawnSync(BWRAP, [...box, ...apart, ...inside], {
      env: { PATH: '/usr/bin:/bin' },
      stdio: 'ignore',
      timeout: 120_000,
    });
  }
  const found = readdirSync(logs).flatMap((name) =>
    readFileSync(join(logs, name), 'utf8')
      .split('\n')
      .flatMap((line) => springs(line, ws))
      .map((what) => `${commands[Number(name.split('.')[0])]}: ${what}`),
  );
  return [...new Set(found)];
}

function springs(line: string, ws: string): ReadonlyArray<string> {
  const started = /\bexecve\("([^"]*)"/.exec(line)?.[1];
  if (started?.includes('trap/') === true) return [`starts ${started}`];
  const opened = /\bopenat?\(.* = \d+<(.*)>$/.exec(line)?.[1];
  return opened?.startsWith(join(ws, 'trap/')) === true ? [`opens ${opened}`] : [];
}
