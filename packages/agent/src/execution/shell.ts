import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import type { AnchoredFolder } from '../containment/anchor.ts';
import type { Sandbox, WrappedCommand } from '../sandbox/sandbox.ts';
import { askToEndBy } from './child.ts';
import { environmentError } from './errno.ts';
import type { FolderWatch } from './final-folder.ts';

export type Surroundings = {
  /** Closed once the shell is in it. */
  readonly folder: AnchoredFolder;
  readonly env: Record<string, string>;
  readonly sandbox: Pick<Sandbox, 'wrap'> | undefined;
};

export type ShellInput = readonly [input: 'ignore' | 'pipe', watch?: FolderWatch | null];

/** A bash whose input is a pipe of ours takes itself for one that was started over a network, and would read a person's .bashrc. */
const NO_RC = ['--norc'];

/** A shell as our own child, the leader of its own process group. The one file that starts shells. */
export function startShell(command: string, around: Surroundings, [input, watch = null]: ShellInput): ChildProcess {
  const { folder, env, sandbox } = around;
  try {
    const inside = sandbox?.wrap({ argv: ['/bin/bash', ...NO_RC, '-c', command], cwd: folder.real });
    const child = spawn(inside?.file ?? '/bin/bash', inside?.args ?? [...NO_RC, '-c', command], {
      cwd: folder.at,
      env: { ...env, ...inside?.env },
      stdio: [input, 'pipe', 'pipe', ...furtherDescriptors(watch)],
      detached: true,
    });
    if (inside !== undefined) followInside(child, inside);
    return child;
  } catch (error) {
    throw environmentError(error, 'The command');
  } finally {
    folder.close();
  }
}

/** The same for a script of ours that goes on beside the commands, outside of any sandbox. */
export function startOwnShell(
  script: string,
  { env, stdio }: Required<Pick<SpawnOptions, 'env' | 'stdio'>>,
): ChildProcess {
  return spawn('/bin/bash', [...NO_RC, '-c', script], { cwd: '/', env, stdio, detached: true });
}

function followInside(child: ChildProcess, { terminate, release }: WrappedCommand): void {
  askToEndBy(child, () => terminate(child.pid ?? 0));
  child.once('exit', release);
  child.once('error', release);
}

function furtherDescriptors(watch: FolderWatch | null): ReadonlyArray<'ignore' | number> {
  if (watch === null) return [];
  const { inChild, ours } = watch.descriptor;
  return [...Array.from({ length: inChild - 3 }, () => 'ignore' as const), ours];
}
