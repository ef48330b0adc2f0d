/** The decision about one call before it acts. `deny` wins over `ask`, `ask` over `allow`, wherever each was written. */
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

/** `Bash(git log *)`: tool `Bash`, content `git log *`; `text` is the rule as written. */
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
  /** All the rules that would let the whole call run without asking. Empty or absent: no rule can do that. */
  readonly needs?: ReadonlyArray<string>;
};

/** A call to be judged. `readOnly` is the tool's own claim; it counts only for tools that are not in our table. */
export type PolicyCall = {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly readOnly?: boolean;
  /** Where a command without its own folder starts, relative to the root. Absent: in the root. */
  readonly workingDir?: string;
  /** A person, or something that was read, named the URL; the model did not make it up. */
  readonly isMentioned?: boolean;
};

/** Where a person keeps a rule: in a file, or only in this session. */
export type RuleDestination = 'session' | 'localSettings' | 'projectSettings' | 'userSettings';
