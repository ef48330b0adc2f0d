import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../containment/resolve.ts';
import { signalGroup } from '../execution/child.ts';
import { newId } from '../id.ts';
import { atExit } from './at-exit.ts';
import { without, type Bubblewrap } from './find-sandbox.ts';
import { mountArguments, type Mount } from './mounts.ts';
import { NAMESPACES } from './namespaces.ts';
import { openGate, type NetworkGate, type NetworkPolicy } from './network/gate.ts';
import { createPlaceholders } from './placeholders.ts';
import { FILTER_DESCRIPTOR, makePrivateFolder, type PrivateFolder } from './private-folder.ts';
import { createProcessBound, usualProcessBound, type ProcessBound } from './process-bound.ts';
import { findNestedNames, protectedMounts } from './protected-mounts.ts';
import { findSecrets, homesHere, secretMounts, type Secrets } from './secrets.ts';
import { systemArguments } from './system-mounts.ts';
import { watchNames } from './watched-names.ts';

export type SandboxPolicy = {
  readonly bubblewrap: Bubblewrap;
  /** Folders that commands may change; the first is the workspace. Never the whole file system. */
  readonly roots: ReadonlyArray<string>;
  /** Absent: the home folder of this user, by the environment and by the system's word. */
  readonly homes?: ReadonlyArray<string>;
  /** Further files and folders that can't be read. */
  readonly denyRead?: ReadonlyArray<string>;
  /** What below the system's folders for temporary files stays visible, unchangeable: programs that are kept there. */
  readonly readable?: ReadonlyArray<string>;
  /** Further files and folders of the roots that can't be changed, where they exist. */
  readonly denyWrite?: ReadonlyArray<string>;
  /** Absent, empty, or without a domain: no network at all. */
  readonly network?: NetworkPolicy;
  /** Where the sandbox keeps what is its own. Absent: the system's folder for temporary files. */
  readonly scratch?: string;
  readonly maxProcesses?: number;
  /** Of one file that a command writes. Default 768 MiB. */
  readonly maxFileBytes?: number;
};

/** `readOnly`: this one may change nothing in the roots either. */
export type SandboxedCommand = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly readOnly?: true;
};

/**
 * How to start a command so that it runs inside. `env` is laid over the command's own variables. `terminate` asks the processes inside
 * to end (a signal to the group would end the sandbox itself, and them with it). `release` must be called once it has ended.
 */
export type WrappedCommand = {
  readonly file: string;
  readonly args: ReadonlyArray<string>;
  readonly env: Readonly<Record<string, string>>;
  readonly terminate: (pid: number) => void;
  readonly release: () => void;
};

/**
 * Inside: the file system read-only but for the roots and a /tmp of its own; protected names unchangeable; secrets of the home folder
 * unreadable; no network but the allowed domains; nothing of the host's processes. Makes nothing on disk before the first command.
 */
export type Sandbox = {
  readonly wrap: (command: SandboxedCommand) => WrappedCommand;
  /** What processes inside can't read and what of it they can: file tools refuse the same. */
  readonly secrets: () => Secrets;
  readonly roots: ReadonlyArray<string>;
  /** Removes all that it made. Commands must have ended. */
  readonly close: () => Promise<void>;
};

const MAX_FILE_BYTES = 768 << 20;
const BLOCK_BYTES = 512;
const LAST_LOOK_MS = 250;
/** Secrets, and protected names below the roots, are looked for again after this long. */
const LOOK_AGAIN_MS = 30_000;

/** A sandbox for all commands of one session. Whether the machine can have one is told by `findSandbox`. */
export function createSandbox(policy: SandboxPolicy): Sandbox {
  const roots = policy.roots.map(realOr);
  if (roots.includes('/')) throw new RangeError('The whole file system is no workspace: nothing would be held back.');
  const homes = [...new Set((policy.homes ?? homesHere()).map(realOr))];
  const placeholders = createPlaceholders();
  const secrets = freshFor(LOOK_AGAIN_MS, () => findSecrets(homes, policy.denyRead?.map(realOr)));
  const nested = freshFor(LOOK_AGAIN_MS, () => roots.map((root) => [root, findNestedNames(root)] as const));
  const made = once(() => makeThings(policy));
  const staying = once(() =>
    atExit(() => {
      placeholders.removeNow('atExit');
      made().folder.remove();
    }),
  );
  const wrap = ({ argv, cwd, readOnly }: SandboxedCommand): WrappedCommand => {
    const { folder, bound, gate } = made();
    staying();
    const names = nested().map(([root, below]) =>
      protectedMounts(root, { homes, nested: below, isOurs: placeholders.isOurs }),
    );
    const watch = watchNames(
      names.flatMap(({ watched }) => watched),
      names.flatMap(({ linkFree }) => linkFree),
    );
    const protectedNames = [...names.flatMap(({ mounts }) => mounts), ...unchangeable(policy.denyWrite)];
    const held = new Set(placeholders.hold(masksOf(protectedNames)));
    const mounts = [
      ...stillVisible([...homes, ...(policy.readable ?? [])], argv),
      ...(gate?.mounts ?? []),
      ...layered(roots, {
        rootsAs: readOnly === true ? 'read-only' : 'writable',
        hidden: secretMounts(secrets(), folder.emptyFile),
        own: folder.at,
        kept: protectedNames.filter(({ as, at }) => as !== 'masked' || held.has(at)),
      }),
    ];
    const { file, args } = launch({ policy, folder, bound, mounts, cwd, argv: gate?.bridged(argv) ?? argv });
    return {
      file,
      args,
      env: { ...VARIABLES, ...gate?.variables },
      terminate: terminateInside,
      release: once(() => {
        watch.restore();
        // What ran beside the command is being ended at this moment, and may act until it is.
        setTimeout(watch.restore, LAST_LOOK_MS).unref();
        placeholders.release();
      }),
    };
  };
  const close = async (): Promise<void> => {
    placeholders.removeNow();
    if (!made.isDone()) return;
    staying()();
    await unmake(made());
  };
  return { wrap, secrets, roots, close };
}

/** Caches go where they can be written. */
const VARIABLES = { TMPDIR: '/tmp', XDG_CACHE_HOME: '/tmp/.cache', npm_config_cache: '/tmp/.npm' } as const;

type Things = { readonly folder: PrivateFolder; readonly bound: ProcessBound; readonly gate: NetworkGate | null };

function makeThings(policy: SandboxPolicy): Things {
  const folder = makePrivateFolder(policy.scratch);
  return {
    folder,
    bound: createProcessBound(newId('attractor'), policy.maxProcesses ?? usualProcessBound()),
    gate: openGate(policy.network, folder),
  };
}

async function unmake({ folder, bound, gate }: Things): Promise<void> {
  await gate?.close();
  bound.close();
  folder.remove();
}

/** A home, or a program that a person starts, may lie below /tmp, in whose place there is another one inside. */
function stillVisible(named: ReadonlyArray<string>, argv: ReadonlyArray<string>): ReadonlyArray<Mount> {
  const files = [process.execPath, ...named, ...argv.filter((word) => path.isAbsolute(word)).map(aroundFile)];
  return unchangeable(files.filter((file) => TEMPORARY.some((folder) => isInside(folder, realOr(file)))));
}

const TEMPORARY = ['/tmp', '/var/tmp'];

/** A script comes with the files beside it, unless it lies in everybody's folder. */
function aroundFile(file: string): string {
  const folder = path.dirname(realOr(file));
  return TEMPORARY.includes(folder) ? file : folder;
}

function unchangeable(named: ReadonlyArray<string> = []): ReadonlyArray<Mount> {
  return named.filter((at) => existsSync(at)).map((at) => ({ at: realOr(at), as: 'read-only' }));
}

function masksOf(mounts: ReadonlyArray<Mount>): ReadonlyArray<string> {
  return mounts.filter(({ as }) => as === 'masked').map(({ at }) => at);
}

type Layers = {
  readonly rootsAs: 'read-only' | 'writable';
  readonly hidden: ReadonlyArray<Mount>;
  readonly own: string;
  readonly kept: ReadonlyArray<Mount>;
};

/** What is hidden is hidden again where a root would uncover it; a root inside a hidden folder stays visible. */
function layered(roots: ReadonlyArray<string>, { rootsAs, hidden, own, kept }: Layers): ReadonlyArray<Mount> {
  const uncovered = [...hidden, { at: own, as: 'hidden' } as const].filter(({ at }) =>
    roots.some((root) => isInside(root, at) && at !== root),
  );
  return [...hidden, ...roots.map((at) => ({ at, as: rootsAs })), ...kept, ...uncovered];
}

type Launch = Pick<Things, 'folder' | 'bound'> & {
  readonly policy: SandboxPolicy;
  readonly mounts: ReadonlyArray<Mount>;
  readonly cwd: string;
  readonly argv: ReadonlyArray<string>;
};

function launch({ policy, folder, bound, mounts, cwd, argv }: Launch): Pick<WrappedCommand, 'file' | 'args'> {
  const blocks = Math.floor((policy.maxFileBytes ?? MAX_FILE_BYTES) / BLOCK_BYTES);
  const args = [
    ...NAMESPACES,
    ...systemArguments(folder),
    ...mountArguments(mounts),
    ...(folder.filter === null ? [] : ['--seccomp', FILTER_DESCRIPTOR]),
    ...AGENT_VARIABLES.flatMap((name) => ['--unsetenv', name]),
    '--chdir',
    cwd,
    '--',
    ...(bound.prefix ?? []),
    ...argv,
  ];
  const before = [folder.launcher, folder.filter ?? '', bound.joinFile ?? '', String(blocks)];
  return { file: '/bin/sh', args: [...before, policy.bubblewrap.path, ...without(args, policy.bubblewrap.lacks)] };
}

/** Where to find a program that would act outside on behalf of one inside. */
const AGENT_VARIABLES = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'DOCKER_HOST',
  'XDG_RUNTIME_DIR',
  'WAYLAND_DISPLAY',
  'DISPLAY',
  'XAUTHORITY',
];

/** The first process inside leads a session of its own; its group is the command. It is the only child of bubblewrap. */
function terminateInside(pid: number): void {
  try {
    const inside = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
    if (!(inside > 1)) throw new Error('no process inside');
    process.kill(-inside, 'SIGTERM');
  } catch {
    // Not yet inside, or over already.
    if (pid > 0) signalGroup(pid, 'SIGTERM');
  }
}

type Once<T> = (() => T) & { readonly isDone: () => boolean };

function once<T>(make: () => T): Once<T> {
  let made: { readonly value: T } | null = null;
  return Object.assign(() => (made ??= { value: make() }).value, { isDone: () => made !== null });
}

function freshFor<T>(ms: number, look: () => T): () => T {
  let seen: { readonly value: T; readonly at: number } | null = null;
  return () => {
    if (seen === null || performance.now() - seen.at > ms) seen = { value: look(), at: performance.now() };
    return seen.value;
  };
}

function realOr(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
