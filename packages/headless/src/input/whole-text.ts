import { finished } from 'node:stream/promises';
import { noInput } from './input-problem.ts';
import { readableText } from './piped-text.ts';

/** All of stdin as one prompt; what has arrived when the signal fires. */
export async function wholeText(
  stdin: NodeJS.ReadStream,
  signal: AbortSignal,
  tell: (text: string) => void,
): Promise<string> {
  if (stdin.isTTY) throw noInput();
  const text = readableText(await readAll(stdin, signal), tell);
  if (text === '' && !signal.aborted) throw noInput();
  return text;
}

async function readAll(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stdin.on('data', (chunk: Buffer) => void chunks.push(chunk));
  await finished(stdin, { signal, writable: false }).catch((error: unknown) => {
    stdin.destroy();
    if (!signal.aborted) throw error;
  });
  return Buffer.concat(chunks);
}
