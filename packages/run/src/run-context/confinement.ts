import { inWorktree, type SessionSetup, withFolders } from '@attractor/settings';
import type { Sandbox } from '@attractor/confine';
import type { Project, RunOverrides } from '@attractor/store';
import { chosenVariables } from '@attractor/system';

/**
 * Where the commands of a run, its agent's and its checks', are started.
 * sandboxed    inside this sandbox; the caller that requested it closes it
 * unsandboxed  on the machine itself: a person allowed that for this repository
 * refused      not at all; `message` is one line that says why and what to do
 */
export type Confinement =
  | { readonly kind: 'sandboxed'; readonly sandbox: Sandbox }
  | { readonly kind: 'unsandboxed' }
  | { readonly kind: 'refused'; readonly message: string };

/** Reads what the person, and a repository that they trust, wrote down for runs in it. */
export type ReadRunSetup = (repository: string) => Promise<SessionSetup>;

/** Called for each use. `setup` null: nothing is written down. */
export type Confine = (
  place: { readonly repository: string; readonly worktree: string },
  setup: SessionSetup | null,
) => Confinement;

/** For a machine that agents may change freely. */
export const unconfined: Confine = () => ({ kind: 'unsandboxed' });

export type ConfinementResult =
  | { readonly sandbox?: Sandbox; readonly setup?: SessionSetup }
  | { readonly refused: string };

/** A run whose commands are started somewhere. `readSetup`: its setup, read once; null: there is none. */
type Confinable = {
  readonly services: { readonly confine: Confine };
  readonly project: { readonly path: string };
  readonly readSetup: () => Promise<SessionSetup | null>;
};

/** Gives `work` the sandbox of the run's worktree while it runs, or the reason why nothing may run. */
export async function confined<Value>(
  { services, project, readSetup }: Confinable,
  worktree: string,
  work: (allowed: ConfinementResult) => Promise<Value>,
): Promise<Value> {
  const read = await readSetup();
  const setup = read === null ? null : inWorktree(read, worktree);
  const confinement = services.confine({ repository: project.path, worktree }, setup);
  if (confinement.kind === 'refused') return work({ refused: confinement.message });
  const written = setup === null ? {} : { setup };
  if (confinement.kind === 'unsandboxed') return work(written);
  const { sandbox } = confinement;
  try {
    return await work({ sandbox, ...written });
  } finally {
    await sandbox.close();
  }
}

/** What commands of a run see: what every run gets, and what is written down about it for this repository. */
export function variablesIn(
  env: Readonly<Record<string, string>>,
  { folder, allowed }: { readonly folder: string; readonly allowed: ConfinementResult },
): Readonly<Record<string, string>> {
  const setup = 'refused' in allowed ? undefined : allowed.setup;
  if (setup === undefined) return env;
  return chosenVariables(setup.variables, { host: setup.env, inherited: env, folders: [folder] });
}

/** Read once for as long as a worker has the run; the worker that takes over after a restart reads it again. */
export function readSetupOnce(read: ReadRunSetup | undefined, { project, overrides }: Chosen): Confinable['readSetup'] {
  let setup: Promise<SessionSetup> | undefined;
  const further = [...(project.config.additionalDirectories ?? []), ...(overrides?.additionalDirectories ?? [])];
  return async () => {
    const written = await (setup ??= read?.(project.path));
    return written === undefined ? null : withFolders(written, further);
  };
}

/** What people chose for the project and for the run. */
type Chosen = { readonly project: Pick<Project, 'path' | 'config'>; readonly overrides?: RunOverrides };
