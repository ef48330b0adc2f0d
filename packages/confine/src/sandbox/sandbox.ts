import { readFileSync } from 'node:fs';
import { AGENT_VARIABLES, signalGroup } from '@attractor/system';
import { isInside } from '../containment/resolve.ts';
import { atExit } from './at-exit.ts';
import { FILTER_DESCRIPTOR, STATUS_DESCRIPTOR } from './launch-text.ts';
import { createLauncher, type Launcher, type Preparation } from './launcher.ts';
import { guardRoots, type GuardedRoots } from './guarded-roots.ts';
import { createMountPlan, type PlanPlaces } from './mount-plan.ts';
import { mountArguments, type Mount } from './mounts.ts';
import { NAMESPACES, STATUS_OPTION } from './namespaces.ts';
import { explainFailure, type CommandFailure, type SandboxView } from './explain-failure.ts';
import { openGate, type NetworkGate } from './network/gate.ts';
import { rulesOf } from './network/judge-host.ts';
import type { FollowedRefusals } from './network/refusals.ts';
import { whyUnreachable } from './network/why-unreachable.ts';
import { makePrivateFolder, type PrivateFolder } from './private-folder.ts';
import { createProcessBound, usualProcessBound, type ProcessBound } from './process-bound.ts';
import { whyRefused } from './refused-places.ts';
import type { SandboxedCommand, SandboxPolicy } from './sandbox-policy.ts';
import { homesHere, type Secrets } from './secrets.ts';
import { systemArguments } from './system-mounts.ts';
import { realOr } from './temporary-folders.ts';
import { describeLimits } from './describe-limits.ts';

/**
 * How to start a command inside the sandbox. `env` is merged over the command's own variables. `terminate` asks the processes inside to end
 * (a signal to the group would end the sandbox itself, and them with it). `release` must be called once it has ended.
 */
export type WrappedCommand = {
  readonly file: string;
  readonly args: ReadonlyArray<string>;
  readonly env: Readonly<Record<string, string>>;
  readonly terminate: (pid: number) => void;
  /** Asked of a command that ended with 1, before its release: false if the sandbox could not be made and nothing ran. A further try may go well. */
  readonly hasBegun: () => boolean;
  readonly release: () => void;
  /** `stop` is called where the command makes again and again what it must not; the answer takes that back. */
  readonly onStubborn: (stop: () => void) => () => void;
  /** What the sandbox kept it from, once it has ended: one line each, with what would allow it. */
  readonly explain: (failure: CommandFailure) => ReadonlyArray<string>;
};

/**
 * Inside: the file system is read-only except for the roots and a separate /tmp; protected names can't be changed; secrets of the home
 * folder can't be read; no network but the allowed domains; the host's processes are invisible. Creates nothing on disk before the first
 * command.
 */
export type Sandbox = {
  readonly wrap: (command: SandboxedCommand) => WrappedCommand;
  /** For a bash that waits for one wrapped command. */
  readonly prepare: () => Preparation;
  /** What processes inside can't read, with the exceptions. File tools refuse the same. */
  readonly secrets: () => Secrets;
  readonly roots: ReadonlyArray<string>;
  /** Why no command can read or write a real path, and what would allow it; null if one can. */
  readonly refuses: (real: string, access: 'read' | 'write') => string | null;
  /** Why no command reaches an address of the web, and what would allow it; null if one may. */
  readonly cutsOff: (address: string) => string | null;
  /** What it forbids, for a model. */
  readonly limits: () => string;
  /** What commands made since this was asked last and was put aside, because programs outside would obey it: one line each. */
  readonly refused: () => Promise<ReadonlyArray<string>>;
  /** The same for other folders. The caller closes it. */
  readonly at: (roots: ReadonlyArray<string>) => Sandbox;
  /** The host itself is about to make files in this folder: they are left alone. The answer is called once they are there. */
  readonly admit: (folder: string) => () => void;
  /** Removes everything it made. Commands must have ended. */
  readonly close: () => Promise<void>;
};

const MAX_FILE_BYTES = 768 << 20;

/** A sandbox for all commands of one session. `findSandbox` tells whether the machine can have one. */
export function createSandbox(policy: SandboxPolicy): Sandbox {
  const places = placesOf(policy);
  if (places.roots.includes('/'))
    throw new RangeError('The whole file system is not a workspace: nothing would be held back.');
  const made = once(() => makeThings(policy));
  const guarded = guardRoots(places, policy.records, () => made().folder.at);
  const plan = createMountPlan(policy, places, guarded.guard);
  const staying = once(() => atExit(() => leaveNow(guarded, made())));
  const things = (): Things => {
    const all = made();
    staying();
    return all;
  };
  const view = viewOf(policy, places, plan.secrets);
  const wrap = (command: SandboxedCommand): WrappedCommand => {
    const { folder, launcher, gate } = things();
    const seen = plan.hold(command, { folder, gate: gate?.mounts ?? [] });
    const argv = gate?.bridged(command.argv) ?? command.argv;
    try {
      const launch = launcher.hold(bubblewrapArguments(folder, seen.mounts), { ...command, argv });
      const refusals = gate?.refusals.follow();
      const release = once(() => {
        refusals?.end();
        seen.release();
        launch.release();
      });
      const env = { ...VARIABLES, ...gate?.variables };
      const { onStubborn } = guarded.guard;
      const explain = explainer(command, { ...view, tmp: folder.tmp, refusals });
      const { file, args, hasBegun } = launch;
      return { file, args, env, terminate: terminateInside, hasBegun, release, onStubborn, explain };
    } catch (error) {
      seen.release();
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    guarded.close();
    if (!made.isDone()) return;
    staying()();
    await unmake(made());
  };
  const { refused } = guarded;
  const ownFolder = (): PrivateFolder | null => (made.isDone() ? made().folder : null);
  return {
    wrap,
    prepare: () => things().launcher.prepare(),
    secrets: plan.secrets,
    roots: places.roots,
    refuses: (real, access) => whyRefused({ ...places, policy, ...plan, folder: ownFolder }, real, access),
    cutsOff: (address) => whyUnreachable(policy.network ?? {}, address),
    limits: () => describeLimits({ writable: view.writable, network: policy.network }),
    refused,
    at: (roots) => createSandbox({ ...policy, roots }),
    admit: guarded.guard.admit,
    close,
  };
}

/** When the process ends and nobody can wait. */
function leaveNow(guarded: GuardedRoots, { bound, folder }: Things): void {
  guarded.close();
  bound.groups?.removeNow();
  folder.remove();
}

function viewOf(
  { denyWrite = [], network }: SandboxPolicy,
  { roots, homes, allowed }: PlanPlaces,
  secrets: () => Secrets,
): Omit<SandboxView, 'tmp' | 'refusals'> {
  return {
    roots,
    writable: [...roots, ...allowed],
    denyWrite,
    secrets,
    home: homes[0] ?? '/',
    isConnected: rulesOf(network?.allowedDomains).length > 0,
  };
}

type Explained = Omit<SandboxView, 'refusals'> & { readonly refusals: FollowedRefusals | undefined };

function explainer(command: SandboxedCommand, { refusals, ...view }: Explained): WrappedCommand['explain'] {
  return (failure) => {
    const refused = refusals?.told((host) => saysHost(failure, command, host)) ?? [];
    return explainFailure(failure, { ...view, refusals: refused });
  };
}

/** Whether a host is named by what was run, or by what it said. */
function saysHost({ stdout, stderr }: CommandFailure, { argv }: SandboxedCommand, host: string): boolean {
  return host !== '' && [...argv, stderr, stdout].some((text) => text.includes(host));
}

/** What is allowed is never a folder around a root: all would be writable. */
function placesOf({ roots, homes = homesHere(), allowWrite = [] }: SandboxPolicy): PlanPlaces {
  const real = roots.map(realOr);
  const allowed = allowWrite.map(realOr).filter((at) => !real.some((root) => isInside(at, root)));
  return { roots: real, homes: [...new Set(homes.map(realOr))], allowed };
}

/** Caches go where they can be written. */
const VARIABLES = { TMPDIR: '/tmp', XDG_CACHE_HOME: '/tmp/.cache', npm_config_cache: '/tmp/.npm' } as const;

type Things = {
  readonly folder: PrivateFolder;
  readonly bound: ProcessBound;
  readonly launcher: Launcher;
  readonly gate: NetworkGate | null;
};

function makeThings(policy: SandboxPolicy): Things {
  const { bubblewrap, maxFileBytes = MAX_FILE_BYTES, maxProcesses = usualProcessBound() } = policy;
  const folder = makePrivateFolder(policy.scratch);
  const bound = createProcessBound(maxProcesses);
  return {
    folder,
    bound,
    launcher: createLauncher({ folder, bubblewrap, bound, maxFileBytes }),
    gate: openGate(policy.network, folder),
  };
}

async function unmake({ folder, bound, gate }: Things): Promise<void> {
  await gate?.close();
  await bound.groups?.close();
  folder.remove();
}

/** All arguments of bubblewrap except the command and its folder. */
function bubblewrapArguments(folder: PrivateFolder, mounts: ReadonlyArray<Mount>): ReadonlyArray<string> {
  return [
    ...NAMESPACES,
    STATUS_OPTION,
    STATUS_DESCRIPTOR,
    ...systemArguments(folder),
    ...mountArguments(mounts),
    ...(folder.filter === null ? [] : ['--seccomp', FILTER_DESCRIPTOR]),
    ...AGENT_VARIABLES.flatMap((name) => ['--unsetenv', name]),
  ];
}

/** The first process inside leads its own session; its group is the command. It is the only child of bubblewrap. */
function terminateInside(pid: number): void {
  try {
    const inside = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
    if (!(inside > 1)) throw new Error('no process inside');
    process.kill(-inside, 'SIGTERM');
  } catch {
    // Not inside yet, or already over.
    if (pid > 0) signalGroup(pid, 'SIGTERM');
  }
}

type Once<T> = (() => T) & { readonly isDone: () => boolean };

function once<T>(make: () => T): Once<T> {
  let made: { readonly value: T } | null = null;
  return Object.assign(() => (made ??= { value: make() }).value, { isDone: () => made !== null });
}
