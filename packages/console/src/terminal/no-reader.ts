import { once } from 'node:events';

const gone = new WeakSet<object>();

/** Whoever read our output has had enough (`| head`): there is nothing left to do, and nothing went wrong. */
export class ReaderGone extends Error {}

/**
 * A reader that stops early, or a terminal that was closed, is no failure, and no reason not to end properly: a command that only prints
 * learns it from `stopIfUnread`, and one that works goes on.
 */
export function surviveNoReader(stream: NodeJS.WriteStream): void {
  if (stream.listeners('error').includes(noteNoReader)) return;
  stream.on('error', noteNoReader);
}

function noteNoReader(this: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  gone.add(this);
}

export function stopIfUnread(stream: NodeJS.WriteStream): void {
  if (gone.has(stream)) throw new ReaderGone('Nobody reads any more.');
}

/** Waits until the reader has taken what was written. */
export async function drained(stream: NodeJS.WriteStream): Promise<void> {
  stopIfUnread(stream);
  await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(() => undefined);
  stopIfUnread(stream);
}
