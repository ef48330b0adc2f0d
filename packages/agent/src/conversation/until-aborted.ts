/** Yields a stream's values until the signal fires, then closes the stream, even one that ignores the signal. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<null>();
  const onAbort = (): void => aborted.resolve(null);
  signal.addEventListener('abort', onAbort, { once: true });
  let isOpen = true;
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      if (next === null) return;
      if (next.done === true) {
        isOpen = false;
        return;
      }
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a source that hangs would hang here too.
    if (isOpen) iterator.return?.().catch(() => undefined);
  }
}
