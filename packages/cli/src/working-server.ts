import { composeServer, type ComposedServer, type ServerOptions } from '@attractor/server';
import { CommandFailure, EXIT, type ExitCode, putText } from '@attractor/console';
import { tellUnexpected } from './tell-unexpected.ts';
import { findWebRoot } from './web-root.ts';

const EXITS: Readonly<Record<string, ExitCode>> = {
  database: EXIT.database,
  remote_refused: EXIT.refused,
  invalid: EXIT.refused,
};

/** A server in this process, with its worker; it ends with the command. */
export async function openServer(options: Omit<ServerOptions, 'webRoot' | 'onError'>): Promise<ComposedServer> {
  const onError = tellUnexpected((line) => putText(process.stderr, `attractor: ${line}\n`));
  const composed = await composeServer({ ...options, webRoot: findWebRoot(), onError });
  if (composed.ok) return composed.value;
  throw new CommandFailure(composed.error.message, EXITS[composed.error.code] ?? EXIT.failed);
}
