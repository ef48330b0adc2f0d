import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
};

/** What the receiver does with a call: a status, silence, or a function. */
export type Behaviour = number | 'hang' | ((response: ServerResponse) => void);

export type Receiver = {
  readonly url: string;
  readonly received: ReadonlyArray<Received>;
  /** For future calls. */
  readonly behave: (behaviour: Behaviour) => void;
  /** Resolves when that many calls have arrived; fails if they never do. */
  readonly until: (count: number) => Promise<ReadonlyArray<Received>>;
};

/** A real server on loopback that keeps what it receives. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let behaviour: Behaviour = 200;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      received.push({ path: request.url ?? '', headers: request.headers, text, json: JSON.parse(text) });
      if (behaviour === 'hang') return;
      if (typeof behaviour === 'number') response.writeHead(behaviour).end();
      else behaviour(response);
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    behave: (next) => {
      behaviour = next;
    },
    until: async (count) => {
      const deadline = performance.now() + 600_000;
      while (received.length < count) {
        if (performance.now() > deadline)
          throw new Error(`${received.length} of ${count} calls came:\n${received.map(({ text }) => text).join('\n')}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return received;
    },
  };
}
