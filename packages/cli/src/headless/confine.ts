import { type ConfinementQuestion, confineSession } from '@attractor/settings';
import { findSandbox, type Sandbox, type SandboxFound } from '@attractor/confine';
import { CommandFailure, EXIT } from '@attractor/console';
import type { HeadlessFlags } from './flags.ts';

/** Looks for a sandbox while other start-up work runs; skipped if the person wants none. */
export function lookForSandbox(
  flags: Pick<HeadlessFlags, 'allowUnsandboxed'>,
  roots: ReadonlyArray<string>,
): Promise<SandboxFound> {
  return flags.allowUnsandboxed === true ? Promise.resolve(NOT_WANTED) : findSandbox({ roots });
}

const NOT_WANTED: SandboxFound = { available: false, reason: 'none is wanted', remedy: '' };

export type Confinement = Pick<ConfinementQuestion, 'setup' | 'found' | 'roots'> & {
  readonly flags: Pick<HeadlessFlags, 'allowUnsandboxed' | 'permissionMode'>;
};

/** The sandbox for the commands of this run. Null: a person allowed working without one. Otherwise the run does not start. */
export function confine({ flags, ...place }: Confinement): Sandbox | null {
  const { permissionMode: mode, allowUnsandboxed = false } = flags;
  const confined = confineSession({ ...place, mode, allowUnsandboxed, interactive: false });
  if (!confined.ok) throw new CommandFailure(confined.message, EXIT.refused);
  return confined.sandbox;
}
