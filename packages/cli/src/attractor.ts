/* The first lines of the command. They run on Node 20 too: an older Node hands over to the project's own Node 24. */
import module from 'node:module';
import { join } from 'node:path';

const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  // In the person's own folder: compiled code from a folder that others can write to would be theirs to choose.
  const home = process.env['ATTRACTOR_HOME'] ?? join(process.env['HOME'] ?? '/nonexistent', '.attractor');
  module.enableCompileCache?.(join(home, 'cache', 'compile'));
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2));
} else {
  const { handOver } = await import('./hand-over.ts');
  handOver(NEEDED, import.meta.url);
}
