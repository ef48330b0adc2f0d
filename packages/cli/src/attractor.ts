/* The first lines of the command. They run on Node 20 too: an older Node hands over to the project's own Node 24. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;

if (major(process.versions.node) >= NEEDED) {
  module.enableCompileCache?.();
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2));
} else {
  handOver();
}

function handOver(): void {
  const newer = findNewerNode(dirname(fileURLToPath(import.meta.url)));
  if (newer === undefined) {
    process.stderr.write(
      `attractor: needs Node ${NEEDED} or newer, this is ${process.versions.node}. Run \`npm start\` in the checkout once (it brings Node ${NEEDED} along), or install Node ${NEEDED}.\n`,
    );
    process.exit(1);
  }
  const child = spawn(newer, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
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

function major(version: string): number {
  return Number(version.split('.')[0]);
}
