/** If called while it is working, it works once more afterwards, however often it was called. */
export function oneAtATime(work: () => Promise<void>, onError: (error: unknown) => void) {
  let working: Promise<void> | null = null;
  let isAsked = false;
  const ask = (): void => {
    isAsked = true;
    working ??= (async () => {
      while (isAsked) {
        isAsked = false;
        await work().catch(onError);
      }
      working = null;
    })();
  };
  return { ask, isAsked: () => isAsked, settled: async () => void (await working) };
}
