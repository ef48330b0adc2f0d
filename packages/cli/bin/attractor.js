#!/usr/bin/env node
// The `attractor` command of a checkout. npm links a command only if its file exists at install time, and the built one does not, so this
// committed file comes first. It runs on any Node; the built command finds its own.
import { existsSync } from 'node:fs';

const built = new URL('../dist/attractor.js', import.meta.url);

if (existsSync(built)) {
  await import(built.href);
} else {
  process.stderr.write('attractor: not built yet. Run `npm run build` (or `npm start`) in the checkout first.\n');
  process.exitCode = 1;
}
