// `npm start`: makes the checkout ready, then runs `attractor demo` with the given arguments. Also runs on Node 20, since a bare machine
// has nothing newer before the install; the command finds its own Node.
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { builtCommand } from './lib/build.mjs';
import { exitWith } from './lib/failure.mjs';
import { prepare, say } from './lib/prepare.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

await prepare(root, say).catch(exitWith);
process.argv = [process.execPath, builtCommand(root), 'demo', ...process.argv.slice(2)];
await import(pathToFileURL(builtCommand(root)).href);
