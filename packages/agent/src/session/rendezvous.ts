/**
 * Hands values from many producers to one generator. `put` resolves only when the consumer asks for the next value: whatever it did with
 * this one (such as writing it to a journal) is done by then.
 */
export type Rendezvous<T> = {
  readonly put: (value: T) => Promise<void>;
  readonly end: () => void;
  readonly values: () => AsyncGenerator<T, void>;
};

export function createRendezvous<T>(): Rendezvous<T> {
  const waiting: { readonly value: T; readonly taken: () => void }[] = [];
  let ended = false;
  let arrival = Promise.withResolvers<void>();
  async function* values(): AsyncGenerator<T, void> {
    for (;;) {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        yield next.value;
        next.taken();
      }
      if (ended) return;
      await arrival.promise;
      arrival = Promise.withResolvers();
    }
  }
  return {
    put: (value) =>
      new Promise((taken) => {
        waiting.push({ value, taken });
        arrival.resolve();
      }),
    end: () => {
      ended = true;
      arrival.resolve();
    },
    values,
  };
}
