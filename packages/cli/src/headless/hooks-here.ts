import {
  createHooks,
  createLocalExecutionEnvironment,
  type ExecutionEnvironment,
  type HeldSession,
  type HookDefinition,
  type Hooks,
  outputFolder,
  type Sandbox,
} from '@attractor/agent';

export type HooksQuery = {
  readonly definitions: ReadonlyArray<HookDefinition>;
  readonly cwd: string;
  readonly place: HeldSession;
  /** Where the session's own commands run. */
  readonly environment: ExecutionEnvironment;
  readonly sandbox: Sandbox | null;
};

/**
 * The hooks of a run; null when there are none. A person's own run on the machine itself, like whatever else they start; those of a
 * repository run where the session's commands do, for they may call what the agent changed.
 */
export function hooksHere({ definitions, cwd, place, environment, sandbox }: HooksQuery): Hooks | null {
  if (definitions.length === 0) return null;
  return createHooks({
    definitions,
    environment: createLocalExecutionEnvironment(cwd),
    confined: { environment, sandbox: sandbox ?? undefined },
    outputFolder: outputFolder(place),
  });
}
