import { createHash } from 'node:crypto';
import { placed } from './places.mjs';

/**
 * The files of a program as one, as CommonJS: importing a Node built-in reads everything it exports, even what Node would load only when
 * used, and each file that Node itself looks for costs a millisecond. `packed.ts` opens it.
 *
 * @param {string} program the name of the entry among the files
 * @param {{ name: string, text: string }[]} files
 */
export async function pack(program, files) {
  const esbuild = await import('esbuild');
  const entryFirst = files.toSorted((one, other) => Number(isEntry(other)) - Number(isEntry(one)));
  const pieces = await Promise.all(
    entryFirst.map(async ({ name, text }) => ({
      name,
      bytes: Buffer.from((await esbuild.transform(text, AS_COMMON_JS)).code),
    })),
  );
  const hash = createHash('sha256');
  for (const { bytes } of pieces) hash.update(bytes);
  return { name: `${program}.pack`, text: placed(hash.digest('hex').slice(0, 32), pieces) };

  function isEntry({ name }) {
    return name === `${program}.js`;
  }
}

const AS_COMMON_JS = {
  format: 'cjs',
  platform: 'node',
  target: 'node24',
  minify: true,
  legalComments: 'none',
  supported: { 'dynamic-import': false },
};
