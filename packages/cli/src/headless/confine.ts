import { createSandbox, findSandbox, type Sandbox, type SandboxFound } from '@attractor/confine';
import type { SandboxSettings } from '@attractor/settings';
import { sandboxVerdict } from '@attractor/policy';
import { CommandFailure, EXIT } from '../exit.ts';
import type { HeadlessFlags } from './flags.ts';

/** Looks for a sandbox beside whatever else happens at the start; a person who wants none has none looked for. */
export function lookForSandbox(
  flags: Pick<HeadlessFlags, 'allowUnsandboxed'>,
  roots: ReadonlyArray<string>,
): Promise<SandboxFound> {
  return flags.allowUnsandboxed === true ? Promise.resolve(NOT_WANTED) : findSandbox({ roots });
}

const NOT_WANTED: SandboxFound = { available: false, reason: 'none is wanted', remedy: '' };

export type Confinement = {
  readonly flags: Pick<HeadlessFlags, 'allowUnsandboxed' | 'permissionMode'>;
  readonly found: SandboxFound;
  readonly roots: ReadonlyArray<string>;
  readonly limits: SandboxSettings['limits'];
  /** Our own folder: journals and keys. */
  readonly home: string;
};

/** The sandbox that commands of this run are started in. Null: a person allowed to go without. Otherwise the run does not start. */
export function confine({ flags, found, roots, limits, home }: Confinement): Sandbox | null {
  const allowUnsandboxed = flags.allowUnsandboxed === true;
  const verdict = sandboxVerdict({ mode: flags.permissionMode, interactive: false, sandbox: found, allowUnsandboxed });
  if (verdict.kind === 'refused') throw new CommandFailure(verdict.message, EXIT.refused);
  if (verdict.kind === 'unsandboxed' || !found.available) return null;
  if (roots.includes('/'))
    throw new CommandFailure('The whole file system is no workspace: work in a folder.', EXIT.refused);
  return createSandbox({ bubblewrap: found, roots, ...limits, denyRead: [home, ...(limits.denyRead ?? [])] });
}
