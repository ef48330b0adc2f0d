import { dirname, join, sep } from 'node:path';
import { fastBuilds, withPacks } from '../fast-start/fast-builds.mjs';
import { FAST_START } from '../fast-start/switch.mjs';

const SHEBANG = '#!/usr/bin/env node\n';
export const REQUIRE = `import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);\n`;
const REQUIRE_SHIM = 'Dynamic require of';

/**
 * Bundles the command into files in memory: `attractor.js`, small enough to start on Node 20, which loads `main.js` with its chunks or, on
 * an older Node, `hand-over.js`. Fast start makes packs in their place.
 *
 * esbuild is imported here and not above, since this file is loaded before anything is installed.
 *
 * @param {string} cli the folder of the package to bundle
 * @param {{ fastStart?: boolean }} options
 * @returns {Promise<{ name: string, text: string | Uint8Array }[]>}
 */
export async function bundle(cli, { fastStart = FAST_START } = {}) {
  const esbuild = await import('esbuild');
  const plain = { entry: entry(cli), main: main(cli) };
  const builds = fastStart ? fastBuilds(plain, cli) : Object.values(plain);
  const built = await Promise.all(builds.map((options) => esbuild.build(options)));
  const files = built
    .flatMap(({ outputFiles }) => outputFiles)
    .map(({ path, text }) => ({ name: path.slice(join(cli, 'dist').length + 1), text }))
    .map(({ name, text }) => ({ name, text: headFor(name, text) + text }));
  return fastStart ? withPacks(files, dirname(dirname(cli))) : files;
}

function entry(cli) {
  return {
    ...shared(cli),
    entryPoints: { attractor: join(cli, 'src', 'attractor.ts'), 'hand-over': join(cli, 'src', 'hand-over.ts') },
    target: 'node20',
    plugins: [restStaysOutside],
  };
}

function main(cli) {
  return {
    ...shared(cli),
    entryPoints: { main: join(cli, 'src', 'main.ts') },
    target: 'node24',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [nothingAtImport(dirname(cli))],
  };
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

/** What the entry loads is decided at run time. */
const restStaysOutside = {
  name: 'rest-stays-outside',
  setup(build) {
    build.onResolve({ filter: /^\.\/(?:main|hand-over)\.ts$/ }, ({ path }) => ({
      path: path.replace(/\.ts$/, '.js'),
      external: true,
    }));
  },
};

/** None of our files does anything when it is imported (a house rule), so a bundle can leave out what it does not use. */
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

function headFor(name, text) {
  if (name === 'attractor.js') return text.startsWith('#!') ? '' : SHEBANG;
  const isImported = name === 'main.js' || name.startsWith('chunks/');
  return isImported && text.includes(REQUIRE_SHIM) ? REQUIRE : '';
}
