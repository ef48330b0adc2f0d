const TRIES = 5;

/**
 * What a sandbox is planned around may change before it is made, and then it gives up: it is planned anew. Only for what never began,
 * so nothing runs twice. A hook that gave up would be one that says nothing.
 */
export async function untilItBegins<T extends { readonly neverBegan: boolean }>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const ended = await run();
    if (!ended.neverBegan || tries === TRIES) return ended;
  }
}
