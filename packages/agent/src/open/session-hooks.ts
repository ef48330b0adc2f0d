import { defined } from '@attractor/base';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import type { Variables } from '@attractor/system';
import type { HookDefinition } from '@attractor/settings';
import { createHooks, type Hooks } from '../hooks/hooks.ts';
import type { Sandbox } from '@attractor/confine';
import type { ExecutionEnvironment } from '../types/index.ts';

export type SessionHooksQuery = {
  readonly definitions: ReadonlyArray<HookDefinition>;
  readonly cwd: string;
  /** Absent: the folder for temporary files. */
  readonly outputFolder?: string;
  /** Where the session's own commands run. */
  readonly environment: ExecutionEnvironment;
  readonly sandbox: Sandbox | null;
  /** Absent: the environment of this process. */
  readonly variables?: Variables;
};

/**
 * The hooks of a session, or null if there are none. A person's own hooks run on the machine itself, like everything else they start; a
 * repository's hooks run where the session's commands run, because they may call files that the agent changed.
 */
export function openSessionHooks(query: SessionHooksQuery): Hooks | null {
  const { definitions, cwd, outputFolder, environment, sandbox, variables } = query;
  if (definitions.length === 0) return null;
  const host = defined({ variables });
  return createHooks({
    definitions,
    environment: createLocalExecutionEnvironment(cwd, 'inherit_core', defined({ env: variables })),
    confined: { environment, sandbox: sandbox ?? undefined },
    ...(outputFolder === undefined ? {} : { outputFolder }),
    ...host,
  });
}
