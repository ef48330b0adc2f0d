import { messageOf } from '@attractor/base';
import { isOutOfService } from '@attractor/platform';

const AGAIN_MS = 60_000;

/**
 * For the log of a server or a worker: what it could not handle itself, with where it came from. A database that is away is no bug and comes
 * back: it is told in one line, once a minute.
 */
export function tellUnexpected(write: (line: string) => void, now = () => performance.now()): (error: unknown) => void {
  let toldAt = -Infinity;
  return (error) => {
    if (!isOutOfService(error)) {
      write(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return;
    }
    if (now() - toldAt < AGAIN_MS) return;
    toldAt = now();
    write(
      `The database can't be used now (${reasonOf(error)}). Work waits, and goes on by itself when it can be used again.`,
    );
  };
}

/** Several addresses of one name are tried, and each has failed. */
function reasonOf(error: unknown): string {
  return messageOf(error instanceof AggregateError ? error.errors[0] : error);
}
