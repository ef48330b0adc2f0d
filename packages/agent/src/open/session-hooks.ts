import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { AGENT_VARIABLES, childVariables, hostVariables, type Variables } from '@attractor/system';
import type { HookDefinition } from '@attractor/settings';
import { defined } from '@attractor/base';
import type { HookMeans } from '../hooks/by-means.ts';
import { createHooks, type Hooks } from '../hooks/hooks.ts';
import type { Sandbox } from '@attractor/confine';
import type { ExecutionEnvironment } from '../types/index.ts';

export type SessionHooksQuery = {
  readonly definitions: ReadonlyArray<HookDefinition>;
  /** Others may come while the session runs. */
  readonly mayChange?: boolean;
  readonly cwd: string;
  /** Absent: the folder for temporary files. */
  readonly outputFolder?: string;
  /** Where the session's own commands run. */
  readonly environment: ExecutionEnvironment;
  readonly sandbox: Sandbox | null;
  /** Absent: the environment of this process. */
  readonly variables?: Variables;
  /** What handlers need that ask a model or call a tool of a server. */
  readonly means?: HookMeans;
  /** What the session's commands see. Absent: what is harmless of `variables`. */
  readonly seen?: () => Readonly<Record<string, string>>;
};

/**
 * The hooks of a session, or null if there are none. A person's own hooks run on the machine itself, like everything else they start; a
 * repository's hooks run where the session's commands run, because they may call files that the agent changed.
 */
export function openSessionHooks(query: SessionHooksQuery): Hooks | null {
  const { definitions, cwd, outputFolder, environment, sandbox, variables = hostVariables() } = query;
  if (definitions.length === 0 && query.mayChange !== true) return null;
  const seen = query.seen?.() ?? childVariables('inherit_harmless', variables);
  const own = { ...seen, ...ofDesktop(variables) };
  return createHooks({
    definitions,
    environment: createLocalExecutionEnvironment(cwd, 'inherit_none', { env: variables, variables: () => own }),
    confined: { environment, sandbox: sandbox ?? undefined },
    ...defined({ outputFolder, means: query.means }),
    variables,
    seen: { own, confined: seen },
  });
}

/** A person's own programs may notify them, sign and ask their containers, as at their terminal. */
function ofDesktop(host: Variables): Readonly<Record<string, string>> {
  return Object.fromEntries(
    AGENT_VARIABLES.flatMap((name) => {
      const value = host[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
