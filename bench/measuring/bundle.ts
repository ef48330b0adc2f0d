import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { standIns } from '../../scripts/fast-start/stand-ins.mjs';
import { FAST_START } from '../../scripts/fast-start/switch.mjs';
import { nothingAtImport, REQUIRE } from '../../scripts/lib/bundle.mjs';

export type Bundled = { readonly file: string; readonly remove: () => Promise<void> };

/** One program in the form in which the command ships: bundled, minified, its lazy parts in separate chunks. */
export async function bundleProgram(entry: string): Promise<Bundled> {
  const folder = await mkdtemp(join(tmpdir(), 'attractor-bench-'));
  const name = basename(entry, '.ts');
  await build({
    entryPoints: { [name]: entry },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
    banner: { js: REQUIRE },
    plugins: [nothingAtImport(join(import.meta.dirname, '../../packages')), ...(FAST_START ? standIns : [])],
  });
  return { file: join(folder, `${name}.mjs`), remove: () => rm(folder, { recursive: true, force: true }) };
}
