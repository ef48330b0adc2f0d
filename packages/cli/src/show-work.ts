import { startStatusLine } from '@attractor/console';

/** How a piece of work is told of: what is done, and whether somebody wants to see that. */
export type ShownWork = { readonly doing: string; readonly isShown: boolean };

/**
 * The one way in which a command says what it is doing: a line on stderr that comes after a second and is gone before anything else is
 * printed, and nothing at all where stderr is no terminal. `tell` says how far the work is.
 */
export async function showWork<Value>(
  { doing, isShown }: ShownWork,
  work: (tell: (howFar: string) => void) => Promise<Value>,
): Promise<Value> {
  const started = performance.now();
  let howFar = '';
  const words = (): string => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    return `${seconds} s · ${doing}${howFar === '' ? '' : ` · ${howFar}`}`;
  };
  const line = isShown ? startStatusLine(process.stderr, process.env, words) : null;
  try {
    return await work((text) => {
      howFar = text;
      line?.draw();
    });
  } finally {
    line?.stop();
  }
}
