import { finished } from 'node:stream/promises';
import type { UserInput } from './read-user-line.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import type { Listening } from './listening.ts';

export type InputSource = {
  /** Undefined: it comes on stdin. Null: there is none, the session only finishes its open work. */
  readonly prompt: string | undefined | null;
  readonly format: 'text' | 'stream-json';
  /** A function, because merely naming stdin opens it. */
  readonly stdin: () => NodeJS.ReadStream;
};

/**
 * A person's inputs in a run, in order: the one on the command line (or all of stdin, see `inputGiven`), or the user lines of stream-json.
 */
export async function* readUserInputs(source: InputSource, listening: Listening): AsyncGenerator<UserInput> {
  const { prompt, format, stdin } = source;
  if (typeof prompt === 'string') yield { text: prompt, images: [] };
  if (format === 'stream-json') {
    const { userLines } = await import('./user-lines.ts');
    let count = typeof prompt === 'string' ? 1 : 0;
    for await (const line of userLines(stdin(), listening)) {
      count += 1;
      yield line;
    }
    if (count === 0 && !listening.signal.aborted) throw noInput();
  }
}

/**
 * For a run that would start a session: waits until there is something to start it with. A text is read whole; for lines it waits for the
 * first one without consuming it.
 */
export async function inputGiven(source: InputSource, signal: AbortSignal): Promise<InputSource> {
  if (source.prompt !== undefined) return source;
  const stdin = source.stdin();
  if (source.format === 'text') return { ...source, prompt: await wholeText(stdin, signal) };
  await firstLine(stdin, signal);
  return source;
}

/** What has arrived when the signal fires. */
async function wholeText(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  if (stdin.isTTY) throw noInput();
  const chunks: Buffer[] = [];
  stdin.on('data', (chunk: Buffer) => void chunks.push(chunk));
  await finished(stdin, { signal, writable: false }).catch((error: unknown) => {
    stdin.destroy();
    if (!signal.aborted) throw error;
  });
  const text = Buffer.concat(chunks).toString('utf8').trim();
  if (text === '' && !signal.aborted) throw noInput();
  return text;
}

/** Puts back what it has read. If there are only blanks before the end, there is no prompt. */
async function firstLine(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  const seen: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = (): void => {
    const chunk: Buffer | null = stdin.read();
    if (chunk === null) return;
    seen.push(chunk);
    if (chunk.toString('latin1').trim() !== '') resolve();
  };
  const ended = (): void => reject(noInput());
  const stopped = (): void => resolve();
  stdin.on('readable', look).once('end', ended).once('error', reject);
  signal.addEventListener('abort', stopped, { once: true });
  if (signal.aborted) stopped();
  try {
    await promise;
  } finally {
    stdin.off('readable', look).off('end', ended).off('error', reject);
    signal.removeEventListener('abort', stopped);
  }
  if (signal.aborted) stdin.destroy();
  else stdin.unshift(Buffer.concat(seen));
}

export function noInput(): CommandFailure {
  return new CommandFailure('no prompt: pass it as `attractor -p "…"` or on stdin.', EXIT.usage);
}
