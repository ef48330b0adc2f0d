/** Numbers that look random and come again with the same seed. */
export type Dice = { readonly roll: (sides: number) => number };

export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return {
    roll: (sides) => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
    },
  };
}

export function pick<T>(list: ReadonlyArray<T>, dice: Dice): T {
  const found = list[dice.roll(list.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

export function chance(share: number, dice: Dice): boolean {
  return dice.roll(1_000) < share * 1_000;
}
