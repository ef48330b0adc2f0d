import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command speaks English; zod's other locales are 200 KB that every start would have to read. */
const onlyEnglishZod = {
  name: 'only-english-zod',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: `export { default as en } from './en.js';`,
      loader: 'js',
      resolveDir: dirname(path),
    }));
  },
};

/** Behind the AI SDK a light stand-in checks what zod would: see the head of `light-schema.ts`. All other code keeps zod. */
const lightSchemas = {
  name: 'light-schemas',
  setup(build) {
    build.onResolve({ filter: /^zod\/v4/ }, ({ path, importer }) => {
      if (!/[\\/]@ai-sdk[\\/]/.test(importer)) return undefined;
      return path.includes('locales') ? { path, namespace: 'no-language' } : { path: here('light-schema.ts') };
    });
    build.onLoad({ filter: /.*/, namespace: 'no-language' }, () => ({ contents: 'export default () => undefined;' }));
  },
};

/** Platform class → the file and class that replace it. */
const WEB_CLASSES = {
  Headers: ['light-headers.ts', 'LightHeaders'],
  ReadableStream: ['light-readable.ts', 'LightReadable'],
  Response: ['light-response.ts', 'LightResponse'],
  TransformStream: ['light-stage.ts', 'Stage'],
  TextDecoderStream: ['light-stage.ts', 'TextStage'],
};
const WHERE_USED =
  /[\\/](?:@ai-sdk|aws4fetch|eventsource-parser)[\\/].*\.m?js$|[\\/]llm[\\/]src[\\/]http[\\/][^\\/]+\.ts$/;

/** Between a response's bytes and the AI SDK's parts light classes replace the platform's: see the heads of their files. */
const lightWebClasses = {
  name: 'light-web-classes',
  setup(build) {
    build.onLoad({ filter: WHERE_USED }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const imports = Object.entries(WEB_CLASSES)
        .filter(([name]) => new RegExp(`\\b(?:new|extends|instanceof) ${name}\\b`).test(text))
        .map(([name, [file, light]]) => `import { ${light} as ${name} } from ${JSON.stringify(here(file))};\n`);
      return { contents: imports.join('') + text, loader: extname(path) === '.ts' ? 'ts' : 'js' };
    });
  },
};

function here(file) {
  return join(dirname(fileURLToPath(import.meta.url)), file);
}

/** Plugins of esbuild, for any of our bundles. */
export const standIns = [onlyEnglishZod, lightSchemas, lightWebClasses];
