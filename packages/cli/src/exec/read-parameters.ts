import { fstatSync } from 'node:fs';
import { putText } from '@attractor/console';

/** How long we wait for a pipe that has not been written to yet. */
const PATIENCE_MS = 3_000;

/**
 * The contents of stdin; '' if there is nothing. A terminal is not read, and a pipe that stays open and silent, as some parents leave it,
 * is given up with a message: parameters are optional, and nobody waits for them. The signal also ends the wait.
 */
export async function readParameters(signal: AbortSignal): Promise<string> {
  if (!hasStdin() || process.stdin.isTTY) return '';
  const { stdin } = process;
  const chunks: Buffer[] = [];
  return new Promise<string>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      stdin.removeAllListeners().pause();
      stdin.unref?.();
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    const giveUp = (): void => {
      putText(process.stderr, `nothing came on stdin in ${PATIENCE_MS / 1_000} s: continuing without parameters\n`);
      finish();
    };
    const timer = setTimeout(giveUp, PATIENCE_MS);
    stdin.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      chunks.push(Buffer.from(chunk));
    });
    stdin.once('end', finish).once('error', finish);
    signal.addEventListener('abort', finish, { once: true });
    if (signal.aborted) finish();
  });
}

function hasStdin(): boolean {
  try {
    fstatSync(0);
    return true;
  } catch {
    return false;
  }
}
