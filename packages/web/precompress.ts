import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXTS = /\.(?:js|css|svg|html|json|webmanifest)$/;
/** Less is not worth a second file. */
const SMALLEST = 1024;

/** Writes each text of the build once more as brotli and as gzip, as small as they get: the server sends them as they are. */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
      if (build.outDir.startsWith('/')) folder = build.outDir;
    },
    closeBundle: async () => {
      const files = await readdir(folder, { recursive: true });
      for (const name of files.filter((file) => TEXTS.test(file))) await compressFile(join(folder, name));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < SMALLEST) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
