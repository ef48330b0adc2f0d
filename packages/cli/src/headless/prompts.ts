import { finished } from 'node:stream/promises';
import type { Prompt } from './user-line.ts';
import { CommandFailure, EXIT } from '../exit.ts';

export type PromptSource = {
  /** Undefined: it comes on stdin. Null: there is none, the session is only to finish what it was left with. */
  readonly prompt: string | undefined | null;
  readonly format: 'text' | 'stream-json';
  /** A function, since merely naming stdin opens it. */
  readonly stdin: () => NodeJS.ReadStream;
};

export type Listening = {
  /** Ends the waiting for what may still come on stdin. */
  readonly signal: AbortSignal;
  /** Told of every line that is no prompt, as soon as it comes. */
  readonly onControl: (line: Readonly<Record<string, unknown>>) => void;
};

/** The prompts of a run in order: the one of the command line (or all of stdin), or the user lines of stream-json. */
export async function* readPrompts(source: PromptSource, listening: Listening): AsyncGenerator<Prompt> {
  const { prompt, format, stdin } = source;
  if (typeof prompt === 'string') yield { text: prompt, images: [] };
  if (format === 'stream-json') {
    const { userLines } = await import('./user-lines.ts');
    let count = typeof prompt === 'string' ? 1 : 0;
    for await (const line of userLines(stdin(), listening)) {
      count += 1;
      yield line;
    }
    if (count === 0 && !listening.signal.aborted) throw noPrompt();
  } else if (prompt === undefined) yield* wholeText(stdin(), listening.signal);
}

async function* wholeText(stdin: NodeJS.ReadStream, signal: AbortSignal): AsyncGenerator<Prompt> {
  if (stdin.isTTY) throw noPrompt();
  const chunks: Buffer[] = [];
  stdin.on('data', (chunk: Buffer) => void chunks.push(chunk));
  await finished(stdin, { signal, writable: false }).catch((error: unknown) => {
    stdin.destroy();
    if (!signal.aborted) throw error;
  });
  if (signal.aborted) return;
  const text = Buffer.concat(chunks).toString('utf8').trim();
  if (text === '') throw noPrompt();
  yield { text, images: [] };
}

export function noPrompt(): CommandFailure {
  return new CommandFailure('no prompt: pass it as `attractor -p "…"` or on stdin.', EXIT.usage);
}
