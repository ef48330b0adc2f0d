import type { ModelFamily } from '@attractor/llm';
import type { RuleName } from './rules.ts';
import type { Args, Touch } from './touch.ts';

/** The makers of models that have their own names for tools. */
export type Family = ModelFamily;

/**
 * A family's name for a tool that it is offered. `always`: in every profile. `asked`: only in a profile that is made with the family's
 * names. Neither: the tool's own name.
 */
export type Spelling = { readonly always?: string; readonly asked?: string };

export const OWN: Spelling = {};
export const ALL = { anthropic: OWN, openai: OWN, gemini: OWN } as const;

/** Everything about a tool except its schema and its executor, which are in its file. */
export type ToolRow = {
  /** For people, in a few words: "searches file contents". */
  readonly does: string;
  /** The families that are offered it. */
  readonly families: Readonly<Partial<Record<Family, Spelling>>>;
  /** Further names that people and agent files use for it. */
  readonly also?: ReadonlyArray<string>;
  /** Equivalent tools of other agents. They are judged like this one and never offered. */
  readonly foreign?: ReadonlyArray<string>;
  /** Its purpose. An agent of some type gets all tools for its purposes. */
  readonly use: 'look' | 'change' | 'run' | 'steps' | 'delegate' | 'converse';
  /** What a call acts on, read from its arguments alone. */
  readonly touches: (args: Args) => Touch;
  /** The rule that people write with content for it: `shell(git log *)` is `Bash(git log *)`. Null: rules can only name the whole tool. */
  readonly rule: RuleName | null;
  /** Further rules that cover it. */
  readonly under?: ReadonlyArray<RuleName>;
  /**
   * Whether it is offered where nothing may change: if it promises that (`promised`: see `RegisteredTool.readOnly`), or in any case, since
   * the policy judges each call (`judged`).
   */
  readonly whereNothingChanges: 'promised' | 'judged';
  /** The arguments that tell a person what a call is about, in every spelling; the first one present counts. */
  readonly subject: ReadonlyArray<string>;
  /** What the tool needs in order to be offered: a port of the profile, or something of the session that makes the tool. */
  readonly needs?: string;
  /** Made by a session, which has what it needs, and not by a profile. */
  readonly by?: 'session';
  /** Another tool under another name and with fewer parameters. */
  readonly faceOf?: string;
  /** How much of its output a model sees. Absent: the default. */
  readonly output?: OutputLimit;
  /** Its output comes from pages of the web, which the model can't have written. */
  readonly bringsPages?: true;
  /** What a person is asked to allow, if the raw arguments would be hard to read. `before`: what is in the file that it replaces. */
  readonly shown?: (args: Args, before?: string) => string | undefined;
  /** Further names that hooks may use for it. */
  readonly hookedAs?: ReadonlyArray<string>;
  /** A line of the system text for models that have this tool and all of `with`. */
  readonly advice?: { readonly with?: ReadonlyArray<string>; readonly say: string };
};

/** `keep`: which part of an output that is too long is shown. `lines`: null if any number is. */
export type OutputLimit = {
  readonly chars: number;
  readonly keep: 'head_tail' | 'tail';
  readonly lines?: number | null;
};
