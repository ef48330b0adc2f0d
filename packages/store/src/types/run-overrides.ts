import type { AgentConfig } from '@attractor/adapters';

/** What a person chose for a run: the last word in its configuration. `checks` are commands of that person's own and therefore trusted. */
export type RunOverrides = AgentConfig & {
  readonly agentType?: string;
  readonly checks?: ReadonlyArray<string>;
  /** What a worker must have to take the run; replaces the project's. */
  readonly labels?: ReadonlyArray<string>;
  /** Whose limit the run counts against. */
  readonly account?: string;
};
