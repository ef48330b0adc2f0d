import type { Sandbox } from '@attractor/confine';

/**
 * What the commands of a run, its agent's and its checks', are started in.
 * sandboxed    inside this sandbox; whoever asked for it closes it
 * unsandboxed  on the machine itself: a person allowed that for this repository
 * refused      not at all; `message` is one line that says why and what to do
 */
export type Confinement =
  | { readonly kind: 'sandboxed'; readonly sandbox: Sandbox }
  | { readonly kind: 'unsandboxed' }
  | { readonly kind: 'refused'; readonly message: string };

/** Asked anew for each use: whoever takes a run over after a restart decides for itself. */
export type Confine = (place: { readonly repository: string; readonly worktree: string }) => Confinement;

/** For a machine that may be changed at will. */
export const unconfined: Confine = () => ({ kind: 'unsandboxed' });

/** Lets `work` have the sandbox of the run's worktree for as long as it takes; null when nothing may run. */
export async function confined<Value>(
  context: { readonly services: { readonly confine: Confine }; readonly project: { readonly path: string } },
  worktree: string,
  work: (allowed: { readonly sandbox?: Sandbox } | { readonly refused: string }) => Promise<Value>,
): Promise<Value> {
  const confinement = context.services.confine({ repository: context.project.path, worktree });
  if (confinement.kind === 'refused') return work({ refused: confinement.message });
  if (confinement.kind === 'unsandboxed') return work({});
  const { sandbox } = confinement;
  try {
    return await work({ sandbox });
  } finally {
    await sandbox.close();
  }
}
