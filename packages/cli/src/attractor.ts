/* The first lines of the command. They run on Node 20 too: an older Node hands over to the project's own Node 24. */
import module from 'node:module';

const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  keepCompiledCode(process.env['ATTRACTOR_HOME'] ?? (process.env['HOME'] && `${process.env['HOME']}/.attractor`));
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2));
} else {
  const { handOver } = await import('./hand-over.ts');
  handOver(NEEDED, import.meta.url);
}

/** In the person's own folder, or nowhere: compiled code from a folder that others can write to would be theirs to choose. */
function keepCompiledCode(home: string | undefined): void {
  if (!home) return;
  keepPrivate(`${home}/cache/compile`);
  module.enableCompileCache?.(`${home}/cache/compile`);
}

/**
 * Whoever makes the home folder first decides who may look into it, and the cache of compiled code asks nobody. An import of node:fs here
 * would load all that it can be asked for, streams and watchers too: 4 ms before anything is done.
 */
function keepPrivate(folder: string): void {
  try {
    process.getBuiltinModule('node:fs').mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // Without a cache everything works, only slower; who needs the folder says what is wrong with it.
  }
}
