import { homedir } from 'node:os';
import { confineSession, readSetup, type SetupProblem } from '@attractor/settings';
import { findSandbox, type SandboxFound } from '@attractor/confine';
import type { Confine, ReadRunSetup } from '@attractor/platform';

export type ConfineOptions = {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where commands of agents and checks are started. Absent: it looks for one. */
  readonly sandbox?: SandboxFound;
  /** `true`: commands run on the machine itself. A list: for these repositories, if there is no sandbox. Absent: never without one. */
  readonly allowUnsandboxed?: true | ReadonlyArray<string>;
};

/** What the owner of this server wrote down, and each repository that they trust. */
export function setupOfRuns({ home, env }: Pick<ConfineOptions, 'home' | 'env'>): ReadRunSetup {
  const userHome = env['HOME'] ?? homedir();
  return (repository) => readSetup({ home, userHome, env, folder: repository });
}

/** Runs are unattended: a viewer in a browser may be gone by the next command. */
export async function confineRuns(options: ConfineOptions): Promise<Confine> {
  const { allowUnsandboxed } = options;
  if (allowUnsandboxed === true) return () => ({ kind: 'unsandboxed' });
  const found = options.sandbox ?? (await findSandbox({ roots: [] }));
  return ({ repository, worktree }, setup) => {
    const isAllowed = !found.available && allowUnsandboxed?.includes(repository) === true;
    // A limit that can't be parsed can't be enforced.
    const lost = found.available ? setup?.problems.find(({ about }) => LIMITS.has(about)) : undefined;
    if (lost !== undefined) return { kind: 'refused', message: lost.message };
    const confined = confineSession({
      setup,
      found,
      roots: [worktree, ...(setup?.folders ?? [])],
      mode: 'acceptEdits',
      interactive: false,
      allowUnsandboxed: isAllowed,
    });
    if (!confined.ok) return { kind: 'refused', message: confined.message };
    const { sandbox } = confined;
    return sandbox === null ? { kind: 'unsandboxed' } : { kind: 'sandboxed', sandbox };
  };
}

const LIMITS: ReadonlySet<SetupProblem['about']> = new Set(['settings', 'sandbox']);
