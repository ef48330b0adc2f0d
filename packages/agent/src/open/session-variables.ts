import { existsSync, realpathSync } from 'node:fs';
import { once } from '@attractor/base';
import { createRedactor, type Redactor, secretValues } from '@attractor/redact';
import { childVariables, chosenVariables, hostVariables } from '@attractor/system';
import type { Hooks } from '../hooks/hooks.ts';
import type { AgentSessionOptions } from './agent-session.ts';
import { furtherFoldersOf } from './session-parts.ts';

/**
 * What commands see of the environment: what is harmless of the host's, or what the caller gave, and what the setup says about it. It is
 * taken down when the session opens and looked through with the first command: the first request does not wait for it.
 */
export function variablesOf(options: AgentSessionOptions): () => Readonly<Record<string, string>> {
  const { folder, setup, variables } = options;
  const host = { ...(setup?.env ?? hostVariables()) };
  return once(() =>
    chosenVariables(setup?.variables ?? {}, {
      host,
      folders: [folder, ...furtherFoldersOf(options)].map(realOr),
      ...(variables === undefined ? {} : { inherited: childVariables('inherit_all', variables) }),
    }),
  );
}

function realOr(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}

/** What commands see now: hooks may set variables for the commands after them. */
export function withVariablesOf(
  hooks: () => Hooks | null,
  variables: () => Readonly<Record<string, string>>,
): () => Readonly<Record<string, string>> {
  let last = { added: NOTHING, all: variables };
  return () => {
    const added = hooks()?.variables() ?? NOTHING;
    if (added !== last.added) {
      const all = { ...variables(), ...added };
      last = { added, all: () => all };
    }
    return last.all();
  };
}

const NOTHING: Readonly<Record<string, string>> = {};

/** What settings set for commands may be a secret of theirs; undefined: there is none beyond those of this process. */
export function redactorFor({ setup }: AgentSessionOptions): Redactor | undefined {
  const set = secretValues(setup?.variables.set ?? {});
  return set.length === 0 ? undefined : createRedactor({ secrets: [...secretValues(hostVariables()), ...set] });
}
