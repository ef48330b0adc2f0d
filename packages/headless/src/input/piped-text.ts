import { isUtf8 } from 'node:buffer';
import { fstatSync } from 'node:fs';

/** How long a pipe beside a prompt may stay silent. A program that starts us often leaves one open that nobody writes to. */
const SILENCE_MS = 3_000;

/** All that is piped in beside a prompt: `cat log | attractor -p "summarise"`. What has arrived when the signal fires; empty if nothing is piped. */
export type PipedText = (signal: AbortSignal, tell: (text: string) => void) => Promise<string>;

/** Listens from now on, while other things are made ready; keeps nobody alive before the text is asked for. */
export function listenToPipe(stdin: () => NodeJS.ReadStream): PipedText {
  if (!isPiped()) return () => Promise.resolve('');
  const stream = stdin();
  const chunks: Buffer[] = [];
  const begun = Promise.withResolvers<'data'>();
  const over = Promise.withResolvers<'end' | { readonly error: Error }>();
  stream
    .on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      begun.resolve('data');
    })
    .once('end', () => over.resolve('end'))
    .once('error', (error) => over.resolve({ error }));
  stream.unref?.();
  return async (signal, tell) => {
    stream.ref?.();
    const stopped = heard(signal);
    const silence = chunks.length === 0 ? heard(AbortSignal.timeout(SILENCE_MS)) : begun.promise;
    let end = await Promise.race([over.promise, begun.promise, stopped, silence]);
    if (end === 'data') end = await Promise.race([over.promise, stopped]);
    else if (end === 'over' && !signal.aborted)
      tell('nothing came on stdin within 3 s, so the prompt alone counts; `< /dev/null` says so at once.');
    stream.destroy();
    if (typeof end === 'object' && chunks.length > 0) throw end.error;
    return readableText(Buffer.concat(chunks), tell);
  };
}

/** Services refuse NUL, and know no other bytes than text. */
export function readableText(bytes: Buffer, tell: (text: string) => void): string {
  const text = bytes.toString('utf8').trim();
  if (isUtf8(bytes) && !text.includes('\0')) return text;
  tell('what came on stdin is not all text: its other bytes are left as \ufffd.');
  return text.replaceAll('\0', '\ufffd');
}

function heard(signal: AbortSignal): Promise<'over'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('over');
    signal.addEventListener('abort', () => resolve('over'), { once: true });
  });
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
