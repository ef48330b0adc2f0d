import { connect, createServer, type Socket } from 'node:net';

/**
 * Sits in front of a PostgreSQL server. `silence` keeps every existing connection open and lets nothing through, like a firewall that
 * forgot it; later connections work. `hangUp` ends all and accepts none, but counts attempts, until `takeAgain`.
 */
export async function startProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let pipes: Array<readonly [Socket, Socket]> = [];
  let refused: number | null = null;
  const server = createServer((near) => {
    if (refused !== null) {
      refused += 1;
      near.on('error', () => undefined);
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    pipes.push([near, far]);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    silence: () => {
      for (const [near, far] of pipes) {
        near.unpipe(far);
        far.unpipe(near);
        near.resume();
        far.resume();
      }
      const count = pipes.length;
      pipes = [];
      return count;
    },
    hangUp: () => {
      refused = 0;
      for (const socket of sockets) socket.destroy();
    },
    refused: () => refused ?? 0,
    takeAgain: () => {
      const count = refused ?? 0;
      refused = null;
      return count;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
