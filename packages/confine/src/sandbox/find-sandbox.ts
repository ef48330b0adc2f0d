import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '@attractor/base';
import { isInside } from '../containment/resolve.ts';
import { EMPTY_FOLDER } from './mounts.ts';
import { NAMESPACES, STATUS_OPTION } from './namespaces.ts';

/** `lacks`: optional options that an older version does not know. */
export type Bubblewrap = { readonly path: string; readonly lacks: ReadonlyArray<string> };

/** `reason` is the obstacle, with the kernel's own message if it refused. */
export type SandboxFound =
  | (Bubblewrap & { readonly available: true })
  | { readonly available: false; readonly reason: string; readonly remedy: string };

export type FindSandboxOptions = {
  /** Folders that commands may write to: a program in there can't be trusted. */
  readonly roots: ReadonlyArray<string>;
  /** Where to look; absent: the usual system folders. Never taken from PATH. */
  readonly candidates?: ReadonlyArray<string>;
};

const USUAL = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
const PROBE_MS = 10_000;

/** Finds bubblewrap and tries it once, with every namespace that commands will have. */
export async function findSandbox({ roots, candidates = USUAL }: FindSandboxOptions): Promise<SandboxFound> {
  if (process.platform !== 'linux') {
    return { available: false, reason: `there is none for ${process.platform}`, remedy: REMEDIES.platform };
  }
  const reasons: string[] = [];
  for (const candidate of candidates) {
    const objection = objectionTo(candidate, roots);
    if (objection === 'absent') continue;
    if (objection === null) return probe(candidate);
    reasons.push(`${candidate} ${objection}`);
  }
  return {
    available: false,
    reason: reasons.length === 0 ? 'bubblewrap (bwrap) is not installed' : reasons.join('; '),
    remedy: REMEDIES.install,
  };
}

const REMEDIES = {
  platform: 'Run in a Linux container or virtual machine, or allow unattended runs with --allow-unsandboxed.',
  install: 'Install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap).',
  kernel:
    'Allow unprivileged user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in a container also its seccomp profile), or allow unattended runs with --allow-unsandboxed.',
} as const;

/** Null: it may be used. */
function objectionTo(candidate: string, roots: ReadonlyArray<string>): string | null {
  try {
    if (!path.isAbsolute(candidate)) return 'is not an absolute path';
    const real = realpathSync(candidate);
    const inside = roots.map(realOr).find((root) => root !== '/' && isInside(root, real));
    if (inside !== undefined) return `lies inside ${inside}, where commands may write`;
    const open = withFolders(real).find(isOpenToOthers);
    if (open !== undefined)
      return `can be replaced by others: ${open} is writable for everybody or belongs to another user`;
    accessSync(real, constants.X_OK);
    return null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'absent';
    return `can't be used: ${messageOf(error)}`;
  }
}

function withFolders(file: string): ReadonlyArray<string> {
  const parent = path.dirname(file);
  return parent === file ? [file] : [file, ...withFolders(parent)];
}

function isOpenToOthers(file: string): boolean {
  const { uid, mode, isSticky } = statOf(file);
  const isForeign = uid !== 0 && uid !== process.getuid?.();
  return isForeign || ((mode & 0o002) !== 0 && !isSticky);
}

function statOf(file: string): { readonly uid: number; readonly mode: number; readonly isSticky: boolean } {
  const { uid, mode } = statSync(file);
  return { uid, mode, isSticky: (mode & 0o1000) !== 0 };
}

/** Options of later versions, with the number of words they take. */
const LATE_OPTIONS: Readonly<Record<string, number>> = { '--disable-userns': 1, '--size': 2, [STATUS_OPTION]: 2 };

async function probe(program: string, lacks: ReadonlyArray<string> = []): Promise<SandboxFound> {
  const look = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...EMPTY_FOLDER, '/run'];
  const refusal = await refusalOf(program, [
    ...without([...NAMESPACES, STATUS_OPTION, '1', ...look], lacks),
    '--',
    '/bin/true',
  ]);
  if (refusal === null) return { available: true, path: program, lacks };
  const unknown = /[Uu]nknown option (--[\w-]+)/.exec(refusal)?.[1];
  if (unknown !== undefined && Object.hasOwn(LATE_OPTIONS, unknown) && !lacks.includes(unknown)) {
    return probe(program, [...lacks, unknown]);
  }
  return { available: false, reason: refusal, remedy: REMEDIES.kernel };
}

/** The arguments without options that this bubblewrap does not know. */
export function without(args: ReadonlyArray<string>, lacks: ReadonlyArray<string>): ReadonlyArray<string> {
  if (lacks.length === 0) return args;
  const kept: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (lacks.includes(word)) at += (LATE_OPTIONS[word] ?? 1) - 1;
    else kept.push(word);
  }
  return kept;
}

function refusalOf(program: string, args: ReadonlyArray<string>): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: PROBE_MS, env: {} }, (error, _stdout, stderr) => {
      const said = stderr.trim().split('\n').at(-1) ?? '';
      resolve(error === null ? null : said === '' ? error.message : said);
    });
  });
}

function realOr(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
