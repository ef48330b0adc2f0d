/* The first lines of the command. They also run on Node 20: an older Node hands over to the project's own Node 24. */
import module from 'node:module';
import { putText } from '@attractor/console';

const NEEDED = 24;

// Node itself would print the message raw, whatever it holds.
process.on('uncaughtException', (error) => {
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  putText(process.stderr, `attractor: unexpected: ${told}\n`);
  process.exit(1);
});

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  keepCompiledCode(process.env['ATTRACTOR_HOME'] ?? (process.env['HOME'] && `${process.env['HOME']}/.attractor`));
  // Set to nothing is not set: libraries that are loaded later take it for an address.
  for (const [name, value] of Object.entries(process.env))
    if (value === '' && name.endsWith('_BASE_URL')) delete process.env[name];
  const { main } = await import('./main.ts');
  process.exitCode = await main([...calledAs(process.argv[1]), ...process.argv.slice(2)]);
} else {
  const { handOver } = await import('./hand-over.ts');
  handOver(NEEDED, import.meta.url);
}

/** A link called `codex` or `gemini` stands for that program. One called `claude` needs no word: its flags are ours. */
function calledAs(program: string | undefined): ReadonlyArray<string> {
  const [, name] = /\/(codex|gemini)$/.exec(program ?? '') ?? [];
  return name === undefined ? [] : [name];
}

/**
 * In the person's own folder, or nowhere: others could plant compiled code in a folder that they can write to. Who creates the home folder
 * first decides who may read it, and the cache does not ask. Importing node:fs here would load all that it exports: 4 ms.
 */
function keepCompiledCode(home: string | undefined): void {
  if (!home) return;
  try {
    process.getBuiltinModule('node:fs').mkdirSync(`${home}/cache/compile`, { recursive: true, mode: 0o700 });
  } catch {
    // Without a cache everything works, only slower; code that needs the folder reports what is wrong with it.
  }
  module.enableCompileCache?.(`${home}/cache/compile`);
}
