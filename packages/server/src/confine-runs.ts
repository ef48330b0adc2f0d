import { homedir } from 'node:os';
import { createSandbox, findSandbox, type SandboxFound } from '@attractor/confine';
import { describeProblem, loadSettings, sandboxSettings, sessionSettings } from '@attractor/settings';
import { sandboxVerdict } from '@attractor/policy';
import type { Confine, Confinement } from '@attractor/platform';

export type ConfineOptions = {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What commands of agents and checks are started in. Absent: it is looked for. */
  readonly sandbox?: SandboxFound;
  /** `true`: commands run on the machine itself. A list: for these repositories, where there is no sandbox. Absent: nowhere without one. */
  readonly allowUnsandboxed?: true | ReadonlyArray<string>;
};

/** Runs are unattended: whoever watches in a browser may be gone by the next command. */
export async function confineRuns(options: ConfineOptions): Promise<Confine> {
  const { allowUnsandboxed } = options;
  if (allowUnsandboxed === true) return () => ({ kind: 'unsandboxed' });
  const found = options.sandbox ?? (await findSandbox({ roots: [] }));
  return ({ repository, worktree }) => {
    const isAllowed = !found.available && allowUnsandboxed?.includes(repository) === true;
    const verdict = sandboxVerdict({
      mode: 'acceptEdits',
      interactive: false,
      sandbox: found,
      allowUnsandboxed: isAllowed,
    });
    if (verdict.kind === 'refused') return verdict;
    if (verdict.kind === 'unsandboxed' || !found.available) return { kind: 'unsandboxed' };
    return inSandbox(options, { found, repository, worktree });
  };
}

type Place = {
  readonly found: Extract<SandboxFound, { readonly available: true }>;
  readonly repository: string;
  readonly worktree: string;
};

/** With the limits of the person's settings, and of a trusted repository's. Our own folder can't be read from inside. */
function inSandbox({ home, env }: ConfineOptions, { found, repository, worktree }: Place): Confinement {
  const userHome = env['HOME'] ?? homedir();
  const loaded = loadSettings({ home, userHome, env, folder: repository });
  const { limits, problems } = sandboxSettings(sessionSettings(loaded), { root: worktree, userHome });
  const [message] = [...loaded.refusals.map(describeProblem), ...problems];
  if (message !== undefined) return { kind: 'refused', message };
  const denyRead = [home, ...(limits.denyRead ?? [])];
  return { kind: 'sandboxed', sandbox: createSandbox({ bubblewrap: found, roots: [worktree], ...limits, denyRead }) };
}
