/*
 * Swaps names as fast as it can until its stdin ends, then restores everything:
 *   node swap-racer-child.ts NAME TARGET
 * NAME is by turns itself and a link to TARGET. What others create under NAME meanwhile is removed.
 */
import { renameSync, rmSync, symlinkSync } from 'node:fs';

const [name = '', target = ''] = process.argv.slice(2);
const input = process.stdin.resume();
process.stdout.write('racing\n');

while (!input.readableEnded) {
  for (let round = 0; round < 50; round++) {
    renameSync(name, `${name}.away`);
    anyway(() => symlinkSync(target, name));
    while (!anyway(() => renameSync(`${name}.away`, name)))
      anyway(() => rmSync(name, { recursive: true, force: true }));
  }
  await new Promise((resolve) => setImmediate(resolve));
}

function anyway(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
