/** What is said of one call before it acts. `deny` wins over `ask`, `ask` over `allow`, wherever each was written. */
export type Decision = 'allow' | 'ask' | 'deny';

/**
 * default            what is no known-safe read asks
 * acceptEdits        edits inside the workspace are allowed as well
 * plan               nothing may change, by any tool
 * dontAsk            what would ask is denied
 * bypassPermissions  everything but deny and ask rules is allowed; only inside a sandbox
 */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions';

export type RuleScope = 'managed' | 'user' | 'project' | 'local' | 'flag' | 'session' | 'built-in';

/** Where a rule was written. `root` is the folder that a pattern beginning with one slash is relative to. */
export type RuleOrigin = {
  readonly scope: RuleScope;
  readonly file: string | null;
  readonly line: number | null;
  readonly root: string;
};

/** `Bash(git log *)`: tool `Bash`, content `git log *`; `text` is the rule as it was written. */
export type PermissionRule = {
  readonly behavior: Decision;
  readonly tool: string;
  readonly content: string | null;
  readonly text: string;
  readonly origin: RuleOrigin;
};

/** A decision that can be explained: what decided, about which part, and the smallest rule that would allow it. */
export type Judgement = {
  readonly decision: Decision;
  readonly reason: string;
  readonly part?: string;
  readonly rule?: PermissionRule;
  readonly suggestion?: string;
  /** All the rules that would have to be added so that the whole call runs unasked; empty or absent: no rule can do that. */
  readonly needs?: ReadonlyArray<string>;
};

/** A call as it is judged. `readOnly`: what the tool promises of itself; it counts only for tools that we don't know better. */
export type PolicyCall = {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly readOnly?: boolean;
  /** Where a command starts that names no folder itself, from the root; absent: in the root. */
  readonly workingDir?: string;
  /** The URL that it reads was named by a person or by what was read, not made up by the model. */
  readonly isMentioned?: boolean;
};

/** Where a rule that a person wants to keep goes: into a file, or only into this session. */
export type RuleDestination = 'session' | 'localSettings' | 'projectSettings' | 'userSettings';
