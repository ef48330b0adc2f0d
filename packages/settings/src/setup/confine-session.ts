import path from 'node:path';
import { type PermissionMode, sandboxVerdict } from '@attractor/policy';
import { createSandbox, type Sandbox, type SandboxFound } from '@attractor/confine';
import type { SessionSetup } from './session-setup.ts';

export type ConfinementQuestion = {
  /** Whose limits apply, and whose folder of keys and journals can't be read from inside. Null: there are none. */
  readonly setup: Pick<SessionSetup, 'limits' | 'home'> | null;
  readonly found: SandboxFound;
  /** What commands may change. */
  readonly roots: ReadonlyArray<string>;
  readonly mode: PermissionMode;
  /** A person is there to be asked. */
  readonly interactive: boolean;
  /** A person explicitly allowed commands without a sandbox. */
  readonly allowUnsandboxed: boolean;
};

/**
 * `sandbox` null: commands run on the machine itself; `notice` says why, if a person is there to read it. The caller closes the sandbox.
 */
export type ConfinementAnswer =
  | { readonly ok: true; readonly sandbox: Sandbox | null; readonly notice: string | null }
  | { readonly ok: false; readonly message: string };

/** Where commands are started; a refusal if there is no sandbox and nobody allowed working without one. */
export function confineSession(question: ConfinementQuestion): ConfinementAnswer {
  const { setup, found, roots } = question;
  const verdict = sandboxVerdict({ ...question, sandbox: found });
  if (verdict.kind === 'refused') return { ok: false, message: verdict.message };
  if (verdict.kind === 'unsandboxed') return { ok: true, sandbox: null, notice: verdict.notice };
  if (!found.available) return { ok: true, sandbox: null, notice: null };
  if (roots.includes('/'))
    return { ok: false, message: "The root of the file system can't be the workspace: give a folder below it." };
  const { limits = {}, home } = setup ?? {};
  const denyRead = [...(home === undefined ? [] : [home]), ...(limits.denyRead ?? [])];
  const own = home === undefined ? {} : { records: path.join(home, 'sandboxes') };
  return { ok: true, sandbox: createSandbox({ bubblewrap: found, roots, ...limits, ...own, denyRead }), notice: null };
}
