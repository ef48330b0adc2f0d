import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Git's own daemon for a folder of repositories, on a free port of loopback; started for each caller, as inetd would. */
export async function serveGit(folder: string): Promise<{ readonly url: string; readonly close: () => void }> {
  const args = ['daemon', '--inetd', '--export-all', `--base-path=${folder}`, folder];
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
  const server = createServer((socket) => {
    const child = spawn('git', args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
    for (const stream of [socket, child.stdin, child.stdout]) stream.on('error', () => child.kill());
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `git://127.0.0.1:${port}`, close: () => void server.close() };
}
