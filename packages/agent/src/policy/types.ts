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

/** What running a part of a command would do, as far as its words tell. `unknown` is never allowed unasked. */
export type ShellEffect = 'read' | 'change' | 'destructive' | 'unknown';

/** A file that a part writes or reads by redirection or by name; null path: not known before it runs. */
export type ShellTarget = {
  readonly path: string | null;
  readonly access: 'read' | 'write';
  /** Absent: by redirection. An argument is the command's own business once a rule allows the command, unless it is denied. */
  readonly via?: 'redirection' | 'argument';
};

/** One simple command of a shell text, after wrappers, assignments, `cd` and quoting were understood. */
export type ShellPart = {
  /** As written, for showing. */
  readonly text: string;
  /** The words that run, without wrappers and assignments; null when a word is only known at run time. */
  readonly argv: ReadonlyArray<string> | null;
  /** Names that are assigned before it. */
  readonly assigns: ReadonlyArray<string>;
  /** Where it runs, after each `cd` before it; null when that is not known. */
  readonly cwd: string | null;
  readonly targets: ReadonlyArray<ShellTarget>;
  readonly effect: ShellEffect;
  readonly reason: string;
  /** What runs it, when another part does (`bash -c`, `xargs`, `find`): such a part is looked at by deny and ask rules only. */
  readonly via?: string;
  /** As `argv`, with what is only known at run time as it was written: for what must be denied. */
  readonly words?: ReadonlyArray<string>;
};

/** `problem`: what could not be understood; then nothing of it is allowed unasked, but what was read is still denied if it must be. */
export type ShellReading = {
  readonly parts: ReadonlyArray<ShellPart>;
  readonly problem: { readonly reason: string; readonly part: string } | null;
};
