import { fstatSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { noInput } from './input-problem.ts';

/** All of stdin as one prompt; what has arrived when the signal fires. */
export async function wholeText(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  if (stdin.isTTY) throw noInput();
  const text = (await readAll(stdin, signal)).trim();
  if (text === '' && !signal.aborted) throw noInput();
  return text;
}

async function readAll(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  stdin.on('data', (chunk: Buffer) => void chunks.push(chunk));
  await finished(stdin, { signal, writable: false }).catch((error: unknown) => {
    stdin.destroy();
    if (!signal.aborted) throw error;
  });
  return Buffer.concat(chunks).toString('utf8');
}

/** How long a pipe beside a prompt may stay silent. A program that starts us often leaves one open that nobody writes to. */
const SILENCE_MS = 3_000;

export type PipedText = {
  readonly stdin: () => NodeJS.ReadStream;
  readonly signal: AbortSignal;
  /** A line for the person. */
  readonly tell: (text: string) => void;
};

/** What is piped in beside a prompt: `cat log | attractor -p "summarise"`. Empty if nothing is. */
export async function pipedText({ stdin, signal, tell }: PipedText): Promise<string> {
  if (!isPiped()) return '';
  const stream = stdin();
  const silence = AbortSignal.timeout(SILENCE_MS);
  const isSpeaking = await new Promise<boolean>((resolve) => {
    stream
      .once('readable', () => resolve(true))
      .once('end', () => resolve(false))
      .once('error', () => resolve(false));
    for (const over of [silence, signal]) over.addEventListener('abort', () => resolve(false), { once: true });
  });
  if (isSpeaking) return (await readAll(stream, signal)).trim();
  if (silence.aborted && !stream.readableEnded)
    tell('nothing came on stdin within 3 s, so the prompt alone counts; `< /dev/null` says so at once.');
  stream.destroy();
  return '';
}

/** A pipe, a socket or a file; a terminal and /dev/null are none. */
function isPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isSocket() || (stats.isFile() && stats.size > 0);
  } catch {
    return false;
  }
}
