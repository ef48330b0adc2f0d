import { readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/** The command speaks English; the other locales of zod are 200 KB that every start would have to read. */
export const onlyEnglishZod = {
  name: 'only-english-zod',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: `export { default as en } from './en.js';`,
      loader: 'js',
      resolveDir: dirname(path),
    }));
  },
};

/** Behind the AI SDK a light stand-in checks what zod would: see the head of the given file. Everyone else keeps zod. */
export function lightSchemas(file) {
  return {
    name: 'light-schemas',
    setup(build) {
      build.onResolve({ filter: /^zod\/v4/ }, ({ path, importer }) => {
        if (!/[\\/]@ai-sdk[\\/]/.test(importer)) return undefined;
        return path.includes('locales') ? { path, namespace: 'no-language' } : { path: file };
      });
      build.onLoad({ filter: /.*/, namespace: 'no-language' }, () => ({ contents: 'export default () => undefined;' }));
    },
  };
}

/** In the AI SDK's own files light streams stand in for the platform's: see `light-readable.ts` in the given folder. */
export function lightStreams(folder) {
  const names = [
    ['light-readable.ts', 'LightReadable as ReadableStream'],
    ['light-stage.ts', 'Stage as TransformStream, TextStage as TextDecoderStream'],
  ];
  const lines = names
    .map(([file, what]) => `import { ${what} } from ${JSON.stringify(join(folder, file))};\n`)
    .join('');
  return {
    name: 'light-streams',
    setup(build) {
      build.onLoad({ filter: /[\\/](?:@ai-sdk|eventsource-parser)[\\/].*\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const isMeant = /\b(?:new|extends) (?:ReadableStream|TransformStream|TextDecoderStream)\b/.test(text);
        return { contents: isMeant ? lines + text : text, loader: 'js' };
      });
    },
  };
}

/** No file of ours does anything when it is imported (a house rule), so what a bundle does not use of it can be left out. */
export function nothingAtImport(packages) {
  return {
    name: 'nothing-at-import',
    setup(build) {
      build.onResolve({ filter: /^(?:\.|@attractor\/)/ }, async ({ path, pluginData, ...where }) => {
        if (pluginData === 'asked' || !isOurs(where.importer)) return undefined;
        const { importer, resolveDir, kind } = where;
        const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: 'asked' });
        return found.errors.length > 0 ? undefined : { path: found.path, sideEffects: false };
      });
    },
  };

  function isOurs(importer) {
    return importer.startsWith(packages + sep) && !importer.includes(`${sep}node_modules${sep}`);
  }
}
