import type { AgentConfig } from '@attractor/adapters';

/**
 * What a person chose for a run: the strongest layer of its configuration. `checks` are that person's own commands and therefore trusted.
 */
export type RunOverrides = AgentConfig & {
  readonly agentType?: string;
  readonly checks?: ReadonlyArray<string>;
  /** What a worker must have to take the run; replaces the project's. */
  readonly labels?: ReadonlyArray<string>;
  /** The account whose limit the run counts against. */
  readonly account?: string;
  /** Further folders that it may work in, from the top of the file system on: besides those of the project and of the person's settings. */
  readonly additionalDirectories?: ReadonlyArray<string>;
};
