import { mkdirSync, mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { standIns } from '../stand-ins.mjs';

export const ROOT = join(import.meta.dirname, '../../..');

/** A new folder inside the checkout, where bundles find the installed packages. */
export function makeFolder(): string {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  return mkdtempSync(join(ROOT, '.cache', 'fast-start-'));
}

/** One file with everything it imports from `packages/llm` and the AI SDK, with the stand-ins as in the command. */
export async function bundled(entry: string, folder: string): Promise<string> {
  const outfile = join(folder, `${basename(entry, '.ts')}.mjs`);
  await build({
    entryPoints: [join(ROOT, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external: ['vitest', 'fast-check', '@attractor/simulator'],
    plugins: standIns,
  });
  return outfile;
}
