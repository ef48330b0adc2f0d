/** The agent whose files a setting was read from. Open: further agents have files too. */
export type SettingAgent =
  | 'attractor'
  | 'claude-code'
  | 'codex'
  | 'gemini'
  | 'opencode'
  | 'cline'
  | 'pi'
  | 'goose'
  | 'cursor'
  | 'copilot'
  | 'windsurf'
  | 'qwen'
  | 'agents';

export type SettingScope = 'default' | 'user' | 'project' | 'local' | 'environment' | 'flag' | 'managed';

/** Where a value was written: a file with its line, a variable or a flag by `name`, or nowhere (a default). */
export type SettingOrigin = {
  readonly scope: SettingScope;
  readonly agent: SettingAgent;
  readonly file: string | null;
  readonly line: number | null;
  readonly name: string | null;
};

export const BUILT_IN: SettingOrigin = { scope: 'default', agent: 'attractor', file: null, line: null, name: null };

/** `file:line`, the variable, the flag, or `default`. */
export function describeOrigin({ scope, file, line, name }: SettingOrigin): string {
  if (file !== null) return line === null ? file : `${file}:${line}`;
  return name ?? scope;
}

/**
 * Something in a file that can't be parsed, in one line. `failsClosed`: it may have been a limit, so continuing without it could allow what
 * a person forbade; an agent is then not started. `onlyFor`: it was written for the models of this agent alone, and stops no other.
 */
export type SettingProblem = {
  readonly origin: SettingOrigin;
  readonly message: string;
  readonly failsClosed: boolean;
  readonly onlyFor?: 'gemini';
};

/** The problem in one line, after its place. */
export function describeProblem({ origin, message }: SettingProblem): string {
  return `${describeOrigin(origin)}: ${message}`;
}

/** A value with its origin. */
export type Sourced<Value> = { readonly value: Value; readonly origin: SettingOrigin };
