import type { AgentConfig } from '@attractor/adapters';

/** One of the project's own commands that judges work. `timeoutMs` null: two minutes. */
export type Check = {
  readonly name: string;
  readonly command: string;
  readonly severity: 'error' | 'warning';
  readonly modes: ReadonlyArray<string>;
  readonly timeoutMs: number | null;
  /** It has to pass, even if it fails without the work. Otherwise only what the work adds to its failures counts. */
  readonly strict: boolean;
};

/** The built-in search for secrets. Null `modes`: after every mode. `isNamed`: the configuration mentions it. */
export type SecretsCheck = {
  readonly isOn: boolean;
  readonly isNamed: boolean;
  readonly severity: Check['severity'];
  readonly modes: ReadonlyArray<string> | null;
};

/**
 * Commands that prepare a fresh checkout for work. `inputs`: further files; if one changes, the commands run again. `shared`: folders that
 * they make, of which later checkouts get a copy instead.
 */
export type Setup = {
  readonly commands: ReadonlyArray<string>;
  readonly timeoutMs: number;
  readonly inputs: ReadonlyArray<string>;
  readonly shared: ReadonlyArray<string>;
};

export type GitConfig = Pick<
  AgentConfig,
  'branchPrefix' | 'baseBranch' | 'rebaseOnStart' | 'preserveUncommitted' | 'onConflict' | 'autoPush'
> & {
  readonly fetch?: boolean;
  /** Also adds the worktrees' folder to the project's `.gitignore`. */
  readonly ignoreWorktrees?: boolean;
  readonly prDraft?: boolean;
  readonly prTemplate?: string;
};

/** The configuration of agents and checks from a repository or a person's home. Absent file: nothing configured. */
export type Configured = {
  readonly path: string | null;
  readonly checks: ReadonlyArray<Check>;
  readonly secrets: SecretsCheck;
  readonly setup: Setup | null;
  readonly git: GitConfig;
  readonly failOnError: boolean;
  readonly failOnWarning: boolean;
  readonly defaultAgentType: string | null;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  /** The line of each value, by its dotted name. */
  readonly lines: Readonly<Record<string, number>>;
  /** The whole file, for the sections that other rooms read. */
  readonly whole: Readonly<Record<string, unknown>>;
};
