import { findSandbox, type SandboxFound } from '@attractor/confine';
import { sandboxVerdict } from '@attractor/policy';
import type { ServerOptions } from '@attractor/server';
import type { Command } from 'commander';
import { CommandFailure, EXIT, putText } from '@attractor/console';

/** The flag of every command that lets an agent run commands. */
export type SandboxFlag = { readonly allowUnsandboxed?: boolean };

export function addSandboxFlag(command: Command): Command {
  return command.option('--allow-unsandboxed', 'run commands on the machine itself, without a sandbox');
}

type Start = { readonly flags: SandboxFlag; readonly attended: boolean };

/**
 * How a server of this command starts commands. Unattended and without a sandbox it does not start, unless a person allowed it; with a
 * person at the terminal it is mentioned once.
 */
export async function sandboxOptions(start: Start): Promise<Pick<ServerOptions, 'sandbox' | 'allowUnsandboxed'>> {
  const sandbox = await requireSandbox(start);
  return sandbox === null ? { allowUnsandboxed: true } : { sandbox };
}

/** The sandbox that was found; null: commands may run on the machine itself. */
export async function requireSandbox({ flags, attended }: Start): Promise<SandboxFound | null> {
  if (flags.allowUnsandboxed === true) return null;
  const sandbox = await findSandbox({ roots: [] });
  const verdict = sandboxVerdict({ mode: 'acceptEdits', interactive: attended, sandbox, allowUnsandboxed: false });
  if (verdict.kind === 'refused') throw new CommandFailure(verdict.message, EXIT.refused);
  if (verdict.kind === 'sandboxed') return sandbox;
  if (verdict.notice !== null) putText(process.stderr, `${verdict.notice}\n`);
  return null;
}
