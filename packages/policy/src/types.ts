/** What is said of one call before it acts. `deny` wins over `ask`, `ask` over `allow`, wherever each was written. */
export type Decision = 'allow' | 'ask' | 'deny';

/**
 * default            asks about everything but reads that are known to be safe
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
  /** It asks only because of what the file usually holds. */
  readonly isSecret?: true;
  /** All the rules that would let the whole call run without a question. Empty or absent: no rule can do that. */
  readonly needs?: ReadonlyArray<string>;
};

/** A call as it is judged. `readOnly` is what the tool says of itself; it counts only for tools that are not in our table. */
export type PolicyCall = {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly readOnly?: boolean;
  /** Where a command starts that names no folder itself, relative to the root. Absent: in the root. */
  readonly workingDir?: string;
  /** The URL was named by a person or by something that was read; the model did not make it up. */
  readonly isMentioned?: boolean;
};

/** Where a person keeps a rule: in a file, or only in this session. */
export type RuleDestination = 'session' | 'localSettings' | 'projectSettings' | 'userSettings';
