// `npm run build`: installs what is missing and builds the command, unless both are up to date.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitWith } from './lib/failure.mjs';
import { prepare, say } from './lib/prepare.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

await prepare(root, say).catch(exitWith);
say('up to date: packages/cli/dist/attractor.js');
