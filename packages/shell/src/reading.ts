/**
 * What running a part of a command would do, as far as its words tell. `guarded` reads, and of what it reads some lies outside the
 * workspace or usually holds secrets; `edit` changes the files that it names and nothing else. `unknown` is never allowed unasked.
 */
export type ShellEffect = 'read' | 'guarded' | 'edit' | 'change' | 'destructive' | 'unknown';

/** A file that a part writes or reads by redirection or by name; null path: unknown before it runs. */
export type ShellTarget = {
  readonly path: string | null;
  readonly access: 'read' | 'write';
  /** Absent: by redirection. An argument is covered by a rule that allows the command, unless it is denied. */
  readonly via?: 'redirection' | 'argument';
  /** It lies outside the workspace, or usually holds secrets: reading it asks. */
  readonly guarded?: true;
};

/**
 * Files whose names git lists and a part then reads: `git ls-files | xargs wc -l`. Whoever allows the part asks git for them. `lists`: the
 * words after `ls-files` of each list; `splits`: what makes other words of a name.
 */
export type GitList = {
  readonly folder: string;
  readonly lists: ReadonlyArray<ReadonlyArray<string>>;
  readonly splits: RegExp;
};

/** One simple command of a shell text, after resolving wrappers, assignments, `cd` and quoting. */
export type ShellPart = {
  /** As written, for showing. */
  readonly text: string;
  /** The words that run, without wrappers and assignments; null if a word is only known at run time. */
  readonly argv: ReadonlyArray<string> | null;
  /** Names that are assigned before it. */
  readonly assigns: ReadonlyArray<string>;
  /** Where it runs, after each `cd` before it; null if unknown. */
  readonly cwd: string | null;
  readonly targets: ReadonlyArray<ShellTarget>;
  readonly effect: ShellEffect;
  readonly reason: string;
  /** What runs it, if another part does (`bash -c`, `xargs`, `find`): only deny and ask rules apply to such a part. */
  readonly via?: string;
  /** As `argv`, with a placeholder for each word that is only known when it runs; absent: looking one up may run something else. */
  readonly template?: ReadonlyArray<string>;
  /** Which program it runs is only known when it runs: it may be one that a rule denies. */
  readonly unnamed?: true;
  /** Of git that only reads: every folder from which it may look for its repository, whose settings it then obeys. */
  readonly repositories?: ReadonlyArray<string>;
  readonly lists?: GitList;
  /** As `argv`, with unknown words as written: for finding what must be denied. */
  readonly words?: ReadonlyArray<string>;
};

/**
 * `problem`: what could not be parsed; then nothing of it is allowed without asking, but the parsed parts are still denied if necessary.
 */
export type ShellReading = {
  readonly parts: ReadonlyArray<ShellPart>;
  readonly problem: { readonly reason: string; readonly part: string } | null;
};
