/** One flag of another agent's command line, and what becomes of it here. A flag that has no row is unknown. */
export type FlagRow = {
  /** As their help writes it: `-m, --model <model>`. `<value>` is one word, `<value...>` every word up to the next flag. */
  readonly flag: string;
  readonly here: FlagHere;
};

/**
 * as        our words for it
 * needless  it asks for what is always so here
 * told      it has no effect, which a line says, and the run goes on
 * refused   the run does not start: going on without it would be something else
 */
export type FlagHere =
  | { readonly kind: 'as'; readonly ours: string; readonly words: (value: string) => Meant }
  | { readonly kind: 'needless' | 'told' | 'refused'; readonly why: string };

/** Our words, or a line for the person if there are none. */
export type Meant = ReadonlyArray<string> | { readonly note: string };

/** The same under our name: a switch, or a value as it is. */
export const as = (ours: string): FlagHere => ({
  kind: 'as',
  ours: `\`${ours}\``,
  words: (value) => (value === '' ? [ours] : [ours, value]),
});

/** In other words; `ours` is what the table of the documents shows. */
export const by = (ours: string, words: (value: string) => Meant): FlagHere => ({
  kind: 'as',
  ours,
  words,
});

export const needless = (why: string): FlagHere => ({ kind: 'needless', why });
export const told = (why: string): FlagHere => ({ kind: 'told', why });
export const refused = (why: string): FlagHere => ({ kind: 'refused', why });

/** `a,b`: each with our flag. */
export const each =
  (ours: string) =>
  (value: string): ReadonlyArray<string> =>
    value
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
      .flatMap((one) => [ours, one]);
