import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { standIns } from './stand-ins.mjs';

it('bundles zod with its English messages only', async () => {
  const contents = `import { z } from 'zod'; console.log(z.string().safeParse(1).error.issues[0].message);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    minify: true,
    platform: 'node',
    format: 'esm',
    plugins: standIns,
  });
  const text = outputFiles[0]?.text ?? '';
  const run = spawnSync(process.execPath, ['--input-type=module'], { input: text, encoding: 'utf8' });
  expect(run.stdout).toContain('expected string');
  expect(text.length).toBeLessThan(250_000);
});
