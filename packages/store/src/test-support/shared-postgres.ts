import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A page that returns the address of a new database: empty, or like the one that is asked for. */
    readonly newDatabasePage: string;
  }
}

const CONNECTIONS = 300;

/** One server for the whole run, started when the first test needs it. Tests that end the server start their own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const page = createServer((request, response) => {
    const like = new URL(request.url ?? '/', 'http://localhost').searchParams.get('like') ?? undefined;
    server ??= startPostgres(CONNECTIONS);
    server
      .then(({ database }) => database(like))
      .then(
        (url) => response.end(url),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const address = page.address();
  if (typeof address === 'string' || address === null) throw new Error('The page of databases has no port');
  project.provide('newDatabasePage', `http://127.0.0.1:${address.port}/`);
  return async () => {
    page.close();
    page.closeAllConnections();
    await (await server)?.stop();
  };
}
