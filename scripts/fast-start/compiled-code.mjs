import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode24 } from '../lib/node24.mjs';
import { run, toolEnvironment } from '../lib/run.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));

/**
 * A pack and the code that V8 compiles for it while it is used for a short time. Without code, if that fails, the command only starts more
 * slowly.
 *
 * @param {string} root the checkout
 * @param {{ name: string, text: string }} pack
 * @returns {Promise<{ name: string, text: string | Uint8Array }[]>}
 */
export async function withCompiledCode(root, { name, text }) {
  const folder = mkdtempSync(join(tmpdir(), 'attractor-build-'));
  try {
    const file = join(folder, name);
    writeFileSync(file, text);
    const node = findNode24(root);
    const { code } = await run([node, join(HERE, 'warm-up.mjs'), file], {
      cwd: root,
      env: toolEnvironment(root, node),
    });
    const compiled = code === 0 ? [{ name: `${name}.code`, text: readFileSync(`${file}.code`) }] : [];
    return [{ name, text }, ...compiled];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
