import type { PermissionMode } from './types.ts';
import type { SandboxFound } from '@attractor/confine';

/**
 * How a run may start.
 * sandboxed    commands run inside; nothing to report
 * unsandboxed  they run on the machine itself; `notice` is shown once, if a person reads it
 * refused      it does not start; `message` is one line that says why and what to do
 */
export type SandboxVerdict =
  | { readonly kind: 'sandboxed' }
  | { readonly kind: 'unsandboxed'; readonly notice: string | null }
  | { readonly kind: 'refused'; readonly message: string };

export type SandboxQuestion = {
  readonly mode: PermissionMode;
  /** A person is there to be asked. */
  readonly interactive: boolean;
  readonly sandbox: SandboxFound;
  /** A person explicitly allowed commands without one. */
  readonly allowUnsandboxed: boolean;
};

/** Nobody watches an unattended run, and nobody is asked under bypassPermissions: both need a sandbox, or a person's explicit consent. */
export function sandboxVerdict({ mode, interactive, sandbox, allowUnsandboxed }: SandboxQuestion): SandboxVerdict {
  if (allowUnsandboxed) return { kind: 'unsandboxed', notice: null };
  if (sandbox.available) return { kind: 'sandboxed' };
  const why = `there is no sandbox here: ${sandbox.reason}`;
  if (mode === 'bypassPermissions')
    return refused(`bypassPermissions runs everything unasked, and ${why}.`, sandbox.remedy);
  if (!interactive) return refused(`An unattended run needs a sandbox, and ${why}.`, sandbox.remedy);
  return { kind: 'unsandboxed', notice: `Commands run without a sandbox: ${sandbox.reason}. ${sandbox.remedy}` };
}

function refused(message: string, remedy: string): SandboxVerdict {
  const word = remedy.includes('--allow-unsandboxed')
    ? ''
    : ' Or add --allow-unsandboxed if this machine may be changed at will.';
  return { kind: 'refused', message: `${message} ${remedy}${word}`.replaceAll(/\s+/g, ' ') };
}
