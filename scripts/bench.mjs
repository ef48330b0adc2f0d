// `npm run bench`: every measurement of bench/, or only those named: `npm run bench -- startup llm`.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitWith } from './lib/failure.mjs';
import { findNode24 } from './lib/node24.mjs';
import { prepare, say } from './lib/prepare.mjs';
import { run, toolEnvironment } from './lib/run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const measurements = findMeasurements();
const named = process.argv.slice(2);
const unknown = named.filter((name) => !measurements.has(name));

if (unknown.length > 0) {
  process.stderr.write(
    `No measurement is called ${unknown.join(', ')}. There are: ${[...measurements.keys()].join(', ')}\n`,
  );
  process.exitCode = 2;
} else {
  await prepare(root, say).catch(exitWith);
  for (const name of named.length === 0 ? measurements.keys() : named) await measure(name);
}

/** A measurement is bench/<name>.ts or bench/<name>/index.ts. */
function findMeasurements() {
  const folder = join(root, 'bench');
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const found = entries.flatMap((entry) => {
    const file = entry.isDirectory() ? join(folder, entry.name, 'index.ts') : join(folder, entry.name);
    const isOne = file.endsWith('.ts') && !file.endsWith('.test.ts') && existsSync(file);
    return isOne ? [[entry.name.replace(/\.ts$/, ''), file]] : [];
  });
  return new Map(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function measure(name) {
  process.stdout.write(`\nbench ${name}\n`);
  const node = findNode24(root);
  const { code } = await run([node, measurements.get(name)], {
    cwd: root,
    env: toolEnvironment(root, node),
    show: true,
  });
  if (code === 0) return;
  process.stdout.write(`bench ${name} failed with ${code}\n`);
  process.exitCode = 1;
}
