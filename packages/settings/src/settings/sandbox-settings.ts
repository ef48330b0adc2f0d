import path from 'node:path';
import type { SandboxPolicy } from '@attractor/confine';
import { programPattern } from '@attractor/policy';

import type { SessionSettings } from './session-settings.ts';
import { describeOrigin, type Sourced } from './origin.ts';
import { domainProblem, folderProblem, folderText } from './sandbox-values.ts';

/** What settings add to a sandbox. While `problems` is not empty no agent may start: a limit would be missing. */
export type SandboxSettings = {
  readonly limits: Pick<SandboxPolicy, 'denyRead' | 'denyWrite' | 'allowWrite' | 'readable' | 'network'>;
  /** Patterns of commands that run outside of it. */
  readonly excludedCommands: ReadonlyArray<string>;
  readonly problems: ReadonlyArray<string>;
  /** For the person: what would allow something and is not followed. */
  readonly unused: ReadonlyArray<string>;
};

export type SandboxPlace = { readonly root: string; readonly userHome: string };

/**
 * `sandbox.filesystem.denyRead`, `denyWrite`, `allowWrite`, `allowRead` (of the machine's temporary folders) and
 * `sandbox.network.allowedDomains`, `deniedDomains`. A pattern that would allow something is not followed.
 */
export function sandboxSettings({ sandbox }: Pick<SessionSettings, 'sandbox'>, place: SandboxPlace): SandboxSettings {
  const of = (name: string): ReadonlyArray<Sourced<unknown>> => sandbox.get(name) ?? [];
  const folders = FOLDERS.map((name) => of(name).map((entry) => pathOf(entry, place)));
  const [denyRead = [], denyWrite = [], allowWrite = [], readable = []] = folders.map((list) =>
    list.flatMap((one) => one.path ?? []),
  );
  const withheld = of('credentials.files').map((entry) => pathOf(entry, place));
  const excluded = of('excludedCommands');
  return {
    limits: {
      denyRead: [...denyRead, ...withheld.flatMap((one) => one.path ?? [])],
      denyWrite,
      allowWrite,
      readable,
      network: {
        allowedDomains: of('network.allowedDomains').map(({ value }) => String(value)),
        deniedDomains: of('network.deniedDomains').map(({ value }) => String(value)),
      },
    },
    excludedCommands: excluded.flatMap(({ value }) => programPattern(String(value)) ?? []),
    unused: excluded.flatMap(({ value, origin }) =>
      programPattern(String(value)) === null
        ? [
            `${describeOrigin(origin)}: "${String(value)}" names no program, so nothing is excluded from the sandbox by it`,
          ]
        : [],
    ),
    problems: [
      ...[...folders.slice(0, DENYING).flat(), ...withheld].flatMap(({ problem }) => problem ?? []),
      ...domainProblems(of('network.allowedDomains')),
      ...domainProblems(of('network.deniedDomains').filter(({ value }) => value !== EVERYTHING)),
    ],
  };
}

/** The first two are limits. */
const DENYING = 2;
const FOLDERS = ['denyRead', 'denyWrite', 'allowWrite', 'allowRead'].map((name) => `filesystem.${name}`);

type Read = { readonly path?: string; readonly problem?: string };

/** `//x` and `/x` are absolute, `~/x` is in the home folder, the rest in the workspace. A folder includes everything in it. */
function pathOf({ value, origin }: Sourced<unknown>, { root, userHome }: SandboxPlace): Read {
  const problem = folderProblem(value);
  if (problem !== null) return { problem: `${describeOrigin(origin)}: ${problem}` };
  const folder = folderText(value);
  return { path: path.resolve(root, folder.replace(/^~(?=\/|$)/, userHome).replace(/^\/\//, '/')) };
}

/** Among the denied domains only: no network at all. */
const EVERYTHING = '*';

function domainProblems(entries: ReadonlyArray<Sourced<unknown>>): ReadonlyArray<string> {
  return entries.flatMap(({ value, origin }) => {
    const problem = domainProblem(value);
    return problem === null ? [] : [`${describeOrigin(origin)}: ${problem}`];
  });
}
