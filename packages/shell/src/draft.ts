import type { GitList, ShellEffect, ShellTarget } from './reading.ts';
import type { ExpandedWord } from './words.ts';

/** What matters about a command beyond its own effect: where its data comes from and where it can go. */
export type Facts = {
  /** Connects to another machine. */
  readonly network: boolean;
  /** Fetches something that could be run. */
  readonly fetches: boolean;
  /** Prints credentials: a file, a variable, the whole environment. */
  readonly secret: boolean;
  /** Runs what it reads. */
  readonly interprets: boolean;
};

/** A part while it is being analysed. `effect` only ever gets worse, and `facts` only grow. */
export type Draft = {
  readonly text: string;
  readonly words: ReadonlyArray<ExpandedWord>;
  readonly assigns: ReadonlyArray<string>;
  readonly cwds: ReadonlyArray<string>;
  readonly via: string | null;
  readonly stripped: boolean;
  readonly targets: ShellTarget[];
  repositories?: ReadonlyArray<string>;
  lists?: GitList;
  /** Which files it reads was looked up on the disk, name by name, before anything ran. */
  looked?: true;
  facts: Facts;
  /** Which program runs is only known when it runs. */
  unnamed: boolean;
  effect: ShellEffect;
  reason: string;
};

/** A part that is no command of its own, before its words are analysed. */
export function draftOf(
  text: string,
  { cwds, via }: Pick<Draft, 'cwds' | 'via'>,
  { effect, reason }: Pick<Draft, 'effect' | 'reason'>,
): Draft {
  const facts = { network: false, fetches: false, secret: false, interprets: false };
  return {
    text,
    words: [],
    assigns: [],
    cwds,
    via,
    stripped: false,
    targets: [],
    repositories: [],
    facts,
    unnamed: false,
    effect,
    reason,
  };
}

const RANK: Readonly<Record<ShellEffect, number>> = {
  read: 0,
  guarded: 1,
  edit: 2,
  change: 3,
  unknown: 4,
  destructive: 5,
};

export function worsen(draft: Draft, effect: ShellEffect, reason: string): void {
  if (RANK[effect] <= RANK[draft.effect]) return;
  draft.effect = effect;
  draft.reason = reason;
}
