/**
 * Runs inside the sandbox, as a separate file, so it may use nothing from outside its body. Its arguments: the proxy's socket, a port on
 * the sandbox's own loopback, and the command. Connections to the port go to the socket; it ends with the command, in the same way.
 */
export function bridge(): void {
  const net = process.getBuiltinModule('node:net');
  const os = process.getBuiltinModule('node:os');
  const { spawn } = process.getBuiltinModule('node:child_process');
  const [socket = '', port = '', file = '', ...args] = process.argv.slice(2);
  const server = net.createServer({ allowHalfOpen: true }, (inside) => {
    const outside = net.connect({ path: socket, allowHalfOpen: true });
    const end = (): void => {
      inside.destroy();
      outside.destroy();
    };
    inside.on('error', end).pipe(outside);
    outside.on('error', end).pipe(inside);
  });
  // The whole group is asked to end: the command decides for itself, and we follow it.
  process.on('SIGTERM', () => undefined);
  server.listen(Number(port), '127.0.0.1', () => {
    const child = spawn(file, args, { stdio: 'inherit' });
    child.on('error', () => process.exit(127));
    child.on('exit', (code, signal) =>
      process.exit(code ?? 128 + (signal === null ? 0 : os.constants.signals[signal])),
    );
  });
}
