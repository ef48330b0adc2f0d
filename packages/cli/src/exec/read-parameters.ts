import { fstatSync } from 'node:fs';

/** How long a pipe that nobody has written to yet is waited for. */
const PATIENCE_MS = 3_000;

/**
 * What stands on stdin; '' when there is nothing. A terminal is not read, and a pipe that stays open and silent, as some parents leave
 * it, is given up with a word: parameters are optional, and nobody is kept waiting for them. The signal ends the waiting too.
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
      process.stderr.write(`nothing came on stdin in ${PATIENCE_MS / 1_000} s: going on without parameters\n`);
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
