/** A queue with one reader. `next` waits until there is a value. */
export type Queue<T> = { readonly put: (value: T) => void; readonly next: () => Promise<T> };

export function createQueue<T>(): Queue<T> {
  const waiting: T[] = [];
  let arrival = Promise.withResolvers<void>();
  return {
    put: (value) => {
      waiting.push(value);
      arrival.resolve();
    },
    next: async () => {
      for (;;) {
        const [value] = waiting.splice(0, 1);
        if (value !== undefined) return value;
        await arrival.promise;
        arrival = Promise.withResolvers();
      }
    },
  };
}
