import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode24 } from '../lib/node24.mjs';
import { run, toolEnvironment } from '../lib/run.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));

/**
 * A file of the bundle and the code that V8 compiles for it in a short conversation with a scripted model. The file gets a first line that
 * identifies its code. Without code, if the conversation fails, the command only starts more slowly.
 *
 * @param {string} root the checkout
 * @param {{ name: string, text: string }} file
 * @returns {Promise<{ name: string, text: string | Uint8Array }[]>}
 */
export async function withCompiledCode(root, { name, text }) {
  const marked = `//${createHash('sha256').update(text).digest('hex').slice(0, 32)}\n${text}`;
  const folder = mkdtempSync(join(tmpdir(), 'attractor-build-'));
  try {
    const file = join(folder, name);
    writeFileSync(file, marked);
    const node = findNode24(root);
    const { code } = await run([node, join(HERE, 'warm-up.mjs'), file], {
      cwd: root,
      env: toolEnvironment(root, node),
    });
    const compiled = code === 0 ? [{ name: `${name}.code`, text: readFileSync(`${file}.code`) }] : [];
    return [{ name, text: marked }, ...compiled];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
