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
