import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { Listening } from './listening.ts';
import { parseLine, type UserInput, userInputOf } from './read-user-line.ts';

type Arrived = { readonly prompt: UserInput } | { readonly failure: unknown };

/** Prompts that wait for their turn; beyond that the sender waits too. */
const MAX_WAITING = 16;

/**
 * The user lines of stream-json, in order. They are read while an earlier one is processed, so that other lines (an interrupt) take effect
 * at once. A line that can't be parsed ends the reading, after the prompts before it.
 */
export async function* userLines(
  stdin: NodeJS.ReadStream,
  { signal, onControl }: Listening,
): AsyncGenerator<UserInput> {
  const arrived = new PassThrough({ objectMode: true, highWaterMark: MAX_WAITING });
  const lines = createInterface({ input: stdin, crlfDelay: Infinity, signal });
  const put = async (one: Arrived): Promise<void> => {
    if (arrived.write(one) || arrived.destroyed) return;
    await new Promise<void>((resolve) => void arrived.once('drain', resolve).once('close', resolve));
  };
  const read = async (): Promise<void> => {
    let number = 0;
    for await (const line of lines) {
      number += 1;
      if (line.trim() === '') continue;
      const fields = parseLine(line, number);
      if (fields['type'] === 'user') await put({ prompt: userInputOf(fields, number) });
      else onControl(fields);
      if (arrived.destroyed) return;
    }
  };
  void read()
    .catch((failure: unknown) => put({ failure }))
    .finally(() => arrived.end());
  try {
    for await (const one of arrived as AsyncIterable<Arrived>) {
      if ('failure' in one) throw one.failure;
      yield one.prompt;
    }
  } finally {
    lines.close();
    stdin.destroy();
  }
}
