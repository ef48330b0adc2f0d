import { dirname, join } from 'node:path';

const SHEBANG = '#!/usr/bin/env node\n';
const REQUIRE = `import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);\n`;
const REQUIRE_SHIM = 'Dynamic require of';

/**
 * Bundles the command into files in memory: `attractor.js`, small enough to start on Node 20, and `main.js` with its
 * chunks for Node 24, loaded by the first through a dynamic import that is left in place.
 *
 * esbuild is imported here and not above, since this file is loaded before anything is installed.
 *
 * @param {string} cli the folder of the package to bundle
 * @returns {Promise<{ name: string, text: string }[]>} entry last, so that writing in order never exposes a half bundle
 */
export async function bundle(cli) {
  const esbuild = await import('esbuild');
  const main = await esbuild.build({
    ...shared(cli),
    entryPoints: { main: join(cli, 'src', 'main.ts') },
    target: 'node24',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [onlyEnglishZod],
  });
  const entry = await esbuild.build({
    ...shared(cli),
    entryPoints: { attractor: join(cli, 'src', 'attractor.ts') },
    target: 'node20',
    plugins: [mainStaysOutside],
  });
  const named = [...main.outputFiles, ...entry.outputFiles].map((file) => ({
    name: file.path.slice(join(cli, 'dist').length + 1),
    text: file.text,
  }));
  return named.map(({ name, text }) => ({ name, text: headFor(name, text) + text })).toSorted(byWriteOrder);
}

function shared(cli) {
  return {
    bundle: true,
    write: false,
    outdir: join(cli, 'dist'),
    platform: 'node',
    format: 'esm',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
  };
}

/** The command speaks English; the other locales of zod are 200 KB that every start would have to read. */
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

const mainStaysOutside = {
  name: 'main-stays-outside',
  setup(build) {
    build.onResolve({ filter: /\/main\.ts$/ }, () => ({ path: './main.js', external: true }));
  },
};

function headFor(name, text) {
  if (name === 'attractor.js') return text.startsWith('#!') ? '' : SHEBANG;
  return text.includes(REQUIRE_SHIM) ? REQUIRE : '';
}

function byWriteOrder(a, b) {
  return rank(a.name) - rank(b.name);
}

function rank(name) {
  return ['main.js', 'attractor.js'].indexOf(name);
}
