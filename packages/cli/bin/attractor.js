#!/usr/bin/env node
// The `attractor` command of a checkout. npm links a command only when its file is there at install time, and the
// built one is not, so this committed file stands in front of it. It runs on any Node; the built command finds its own.
import { existsSync } from 'node:fs';

const built = new URL('../dist/attractor.js', import.meta.url);

if (existsSync(built)) {
  await import(built.href);
} else {
  process.stderr.write('attractor: not built yet. Run `npm run build` (or `npm start`) in the checkout first.\n');
  process.exitCode = 1;
}
