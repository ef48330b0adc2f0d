/**
 * Runs in a process of its own, which an agent starts as an MCP server, so it may use nothing from outside its body. Its arguments: the
 * run's socket, and the run's token. It says the token first, then passes on what comes, in both directions, until one side ends.
 */
function bridge(): void {
  const [, at = '', token = ''] = process.argv;
  const socket = process.getBuiltinModule('node:net').connect(at);
  socket.on('error', () => process.exit(1)).on('close', () => process.exit(0));
  socket.write(`${token}\n`);
  process.stdin.pipe(socket).pipe(process.stdout);
}

/** For `node -e`. */
export function bridgeText(): string {
  return `(${bridge.toString()})()`;
}
