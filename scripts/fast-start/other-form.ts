import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle } from '../lib/bundle.mjs';
import { FAST_START } from './switch.mjs';

export type OtherForm = { readonly command: string; readonly remove: () => void };

/**
 * The command in the form that the switch did not choose, for comparison with the built one. Inside the checkout, where it finds its
 * packages.
 */
export async function buildOtherForm(root: string): Promise<OtherForm> {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'other-form-'));
  for (const { name, text } of await bundle(join(root, 'packages/cli'), { fastStart: !FAST_START })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { command: join(folder, 'attractor.js'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
