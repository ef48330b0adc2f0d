import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { putText } from '@attractor/console';

/** Runs the command on the newer Node that came with the project, passing on signals and its exit code. */
export function handOver(needed: number, entryUrl: string): void {
  const entry = fileURLToPath(entryUrl);
  const newer = findNewerNode(dirname(entry));
  if (newer === undefined) {
    putText(
      process.stderr,
      `attractor: needs Node ${needed} or newer, this is ${process.versions.node}. Install Node ${needed}, or let npm bring it along: \`npm start\` in a checkout, \`npm install -g\` without --omit=optional elsewhere.\n`,
    );
    process.exit(1);
  }
  const child = spawn(newer, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
}

function findNewerNode(start: string): string | undefined {
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
    if (existsSync(found)) return found;
  }
  return undefined;
}
