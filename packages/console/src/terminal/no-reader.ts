import { once } from 'node:events';
import { EXIT } from '../exit.ts';
import { putText } from './put.ts';

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
  if (error.code === 'EPIPE' || error.code === 'EIO') {
    gone.add(this);
    return;
  }
  // A file on a full disk: what would still be printed is lost, and whoever reads it must not take it for whole.
  if (this !== process.stderr) putText(process.stderr, `attractor: stdout can't be written: ${error.message}\n`);
  process.exit(EXIT.failed);
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
