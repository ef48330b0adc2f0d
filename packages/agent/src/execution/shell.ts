import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { type AnchoredFolder, folderForOthers, type Sandbox, type WrappedCommand } from '@attractor/confine';
import { askToEndBy, COMMAND_MARK, environmentError, signalGroup, type SupervisedChild } from '@attractor/system';
import type { FolderWatch } from './final-folder.ts';
import type { StandingShells } from './shell-order.ts';

export type Surroundings = {
  /** Closed when the shell has ended or can't be started. */
  readonly folder: AnchoredFolder;
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox: Pick<Sandbox, 'wrap'> | undefined;
  /** Null for a shell that has input or variables of its own: a standing shell can't start it. */
  readonly standing: StandingShells | null;
};

/** `neverBegan`, asked when the child has ended: its sandbox could not be made, and nothing ran. */
export type StartedShell = { readonly child: SupervisedChild; readonly neverBegan: () => boolean };

export type ShellInput = readonly [input: 'ignore' | 'pipe', watch?: FolderWatch | null];

/** If bash's stdin is a pipe, bash assumes that it was started over a network and would read the person's .bashrc. */
const NO_RC = ['--norc'];

/** Starts a shell as the leader of its own process group, inside the sandbox if there is one. No other file starts shells. */
export function startShell(command: string, around: Surroundings, input: ShellInput): StartedShell {
  const { folder, env, standing } = around;
  const { inside, argv } = wrapped(command, around, input[1]?.descriptor.inChild);
  const variables = { ...inside?.env, [COMMAND_MARK]: env[COMMAND_MARK] ?? '' };
  try {
    const order = { argv, variables, folder, watch: input[1] ?? null };
    const child = standing?.start(order) ?? startOurselves(argv, { folder, env: { ...env, ...variables } }, input);
    return { child, neverBegan: inside === undefined ? () => false : followInside(child, inside) };
  } catch (error) {
    inside?.release();
    throw environmentError(error, 'The command');
  }
}

type Wrapped = { readonly argv: ReadonlyArray<string>; readonly inside: WrappedCommand | undefined };

function wrapped(command: string, { folder, sandbox }: Surroundings, descriptor?: number): Wrapped {
  const argv: readonly [string, ...string[]] = ['/bin/bash', ...NO_RC, '-c', command];
  try {
    const inside = sandbox?.wrap({ argv, cwd: folder.real, descriptor });
    return inside === undefined ? { argv, inside } : { argv: [inside.file, ...inside.args], inside };
  } catch (error) {
    folder.close();
    throw environmentError(error, 'The command');
  }
}

function startOurselves(
  [file = '', ...args]: ReadonlyArray<string>,
  { folder, env }: Pick<Surroundings, 'folder' | 'env'>,
  [input, watch = null]: ShellInput,
): ChildProcess {
  try {
    const stdio = [input, 'pipe', 'pipe', ...furtherDescriptors(watch)] as const;
    // The child changes its descriptors before it changes to its folder.
    const cwd = folderForOthers(folder) ?? folder.at;
    return closeAfter(spawn(file, args, { cwd, env, stdio: [...stdio], detached: true }), folder);
  } catch (error) {
    folder.close();
    throw error;
  }
}

/** Only after the spawn is it certain that the child is in its folder. */
export function closeAfter<T extends SupervisedChild>(child: T, folder: AnchoredFolder): T {
  child.once('exit', folder.close);
  child.once('error', folder.close);
  return child;
}

/**
 * The same for a script of ours that goes on beside the commands, outside of any sandbox. It dies with us even when we are killed, and
 * with it the sandbox of the command that it started.
 */
export function startOwnShell(
  script: string,
  { env, stdio }: Required<Pick<SpawnOptions, 'env' | 'stdio'>>,
): ChildProcess {
  const [file, ...args] = ['/bin/bash', ...NO_RC, '-c', script] as const;
  const [dying, ...flags] = dyingWithUs();
  const started = dying === undefined ? { file, args } : { file: dying, args: [...flags, file, ...args] };
  return spawn(started.file, started.args, { cwd: '/', env, stdio, detached: true });
}

const SETPRIV = '/usr/bin/setpriv';

/** Where the system has a program that arranges it; a smaller one of the same name has no such option. */
function dyingWithUs(): ReadonlyArray<string> {
  hasSetpriv ??= existsSync(SETPRIV) && !/busybox|toybox/.test(realpathSync(SETPRIV));
  return hasSetpriv ? [SETPRIV, '--pdeathsig', 'KILL', '--'] : [];
}

let hasSetpriv: boolean | undefined;

function followInside(
  child: SupervisedChild,
  { terminate, hasBegun, release, onStubborn }: WrappedCommand,
): StartedShell['neverBegan'] {
  askToEndBy(child, () => terminate(child.pid ?? 0));
  let gaveUp = false;
  child.once('exit', (code: number | null) => {
    gaveUp = code === 1 && !hasBegun();
  });
  const calm = onStubborn(() => signalGroup(child.pid, 'SIGKILL'));
  for (const end of ['exit', 'error'] as const) {
    child.once(end, release);
    child.once(end, calm);
  }
  return () => gaveUp;
}

function furtherDescriptors(watch: FolderWatch | null): ReadonlyArray<'ignore' | number> {
  if (watch === null) return [];
  const { inChild, ours } = watch.descriptor;
  return [...Array.from({ length: inChild - 3 }, () => 'ignore' as const), ours];
}
