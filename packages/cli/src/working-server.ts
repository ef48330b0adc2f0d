import { composeServer, type ComposedServer, type ServerOptions } from '@attractor/server';
import { CommandFailure, EXIT, type ExitCode, putText } from '@attractor/console';
import { findWebRoot } from './web-root.ts';

const EXITS: Readonly<Record<string, ExitCode>> = {
  database: EXIT.database,
  remote_refused: EXIT.refused,
  invalid: EXIT.refused,
};

/** A server in this process, with its worker; it ends with the command. */
export async function openServer(options: Omit<ServerOptions, 'webRoot' | 'onError'>): Promise<ComposedServer> {
  const composed = await composeServer({ ...options, webRoot: findWebRoot(), onError: report });
  if (composed.ok) return composed.value;
  throw new CommandFailure(composed.error.message, EXITS[composed.error.code] ?? EXIT.failed);
}

function report(error: unknown): void {
  putText(
    process.stderr,
    `attractor: unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}
