// `npm start`: makes the checkout ready, then runs `attractor demo` with the given arguments. Runs on Node 20 too,
// since on a bare machine nothing newer is there before the install; the command finds its own Node.
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { builtCommand } from './lib/build.mjs';
import { exitWith } from './lib/failure.mjs';
import { prepare, say } from './lib/prepare.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

await prepare(root, say).catch(exitWith);
process.argv = [process.execPath, builtCommand(root), 'demo', ...process.argv.slice(2)];
await import(pathToFileURL(builtCommand(root)).href);
