// Has a short conversation with the given bundled `attractor -p`, loaded as the command loads it, and writes the code that V8 compiled
// beside it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startSimulator } from '@attractor/simulator';
import { openCompiled } from './compiled.ts';

const [file] = process.argv.slice(2);
const folder = join(dirname(file), 'work');
const simulator = await startSimulator({
  script: {
    turns: [
      { toolCalls: [{ use: 'shell', command: 'true' }], repeat: 3 },
      { text: 'Let me look.', toolCalls: [{ use: 'read', path: 'note.txt' }], repeat: 3 },
      { toolCalls: [{ use: 'edit', path: 'note.txt', old: 'one', new: 'two' }] },
      { text: 'Done.' },
    ],
  },
});
mkdirSync(folder);
writeFileSync(join(folder, 'note.txt'), 'one\n');
process.env.ATTRACTOR_HOME = join(dirname(file), 'home');
process.env.ANTHROPIC_API_KEY = 'none';

const compiled = openCompiled(file, createRequire(file));
const connection = ['--provider', 'anthropic', '--model', 'scripted', '--base-url', simulator.baseUrls.anthropic];
const permission = ['--permission-mode', 'bypassPermissions', '--allow-unsandboxed'];
const exitCode = await compiled.run().main(['-p', 'Go on.', ...connection, ...permission, '--cwd', folder]);
if (exitCode === 0) writeFileSync(`${file}.code`, compiled.code());
await simulator.close();
process.exit(exitCode);
