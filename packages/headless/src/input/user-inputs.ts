import type { ImagePart } from '@attractor/llm';
import { joinedInput, type UserInput } from './read-user-line.ts';

/** A person's inputs in a run, in order. */
export type UserInputs = {
  /** Null: there are no more. Rejects with what is wrong with the next one. */
  readonly next: () => Promise<UserInput | null>;
  /** What was said meanwhile, if it is plain text; null: nothing. */
  readonly takeText: () => string | null;
  /** Whether there is one already. */
  readonly isWaiting: () => boolean;
};

/** The one input of the command line. Null: there is none. */
export function oneInput(text: string | null, images: ReadonlyArray<ImagePart> = []): UserInputs {
  let left = text;
  return {
    next: async () => {
      const input = left === null ? null : { text: left, images };
      left = null;
      return input;
    },
    takeText: () => null,
    isWaiting: () => left !== null,
  };
}

/** First those, then these. */
export function oneAfterTheOther(first: UserInputs, second: UserInputs): UserInputs {
  return {
    next: async () => (await first.next()) ?? second.next(),
    takeText: second.takeText,
    isWaiting: () => first.isWaiting() || second.isWaiting(),
  };
}

/** The text is said first: in front of the prompt that waits, or alone. */
export function beginningWith(text: string, inputs: UserInputs): UserInputs {
  let isSaid = false;
  return {
    ...inputs,
    next: async () => {
      if (isSaid) return inputs.next();
      isSaid = true;
      const own = { text, images: [] };
      const first = inputs.isWaiting() ? await inputs.next() : null;
      return first === null ? own : joinedInput([own], first);
    },
  };
}
