import { type FSWatcher, watch } from 'node:fs';
import { createServer, connect, type Server, type Socket } from 'node:net';
import type { ChildProcess } from 'node:child_process';

/**
 * What can be seen of a running command from outside: each piece of a request or an answer on its way, each piece of its output, each
 * change in its folder. They come in the order of the conversation, so a number of them is a position in it, on a slow machine as on a fast
 * one.
 */
export type Moments = {
  readonly url: string;
  /** From now on counts the moments of this process, and calls back at each one. */
  readonly follow: (child: ChildProcess, seen: (count: number) => void) => void;
  readonly close: () => Promise<void>;
};

export async function watchMoments(target: string, folder: string): Promise<Moments> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let note = (): void => undefined;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        note();
        to.write(bytes);
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const taken = await listen(server);
  const watcher: FSWatcher = watch(folder, () => note());
  return {
    url: `http://127.0.0.1:${taken}`,
    follow: (child, seen) => {
      let count = 0;
      note = () => seen(++count);
      child.stdout?.on('data', () => note());
    },
    close: () => {
      watcher.close();
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
