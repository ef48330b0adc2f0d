import { dirname, join } from 'node:path';
import { withCompiledCode } from './compiled-code.mjs';
import { lightSchemas, lightStreams, nothingAtImport, onlyEnglishZod } from './bundle-plugins.mjs';

const SHEBANG = '#!/usr/bin/env node\n';
const REQUIRE = `import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);\n`;
const REQUIRE_SHIM = 'Dynamic require of';

/**
 * Bundles the command into files in memory: `attractor.js`, small enough to start on Node 20, which loads one of
 * `headless.cjs` (all of `attractor -p` but `session-servers.js`), `main.js` with its chunks (everything else) and `hand-over.js` (an older Node).
 *
 * esbuild is imported here and not above, since this file is loaded before anything is installed.
 *
 * @param {string} cli the folder of the package to bundle
 * @returns {Promise<{ name: string, text: string | Uint8Array }[]>} entry last, so that writing in order never exposes a half bundle
 */
export async function bundle(cli) {
  const esbuild = await import('esbuild');
  const built = await Promise.all([entry(cli), headless(cli), main(cli)].map((options) => esbuild.build(options)));
  const named = built
    .flatMap(({ outputFiles }) => outputFiles)
    .map(({ path, text }) => ({ name: path.slice(join(cli, 'dist').length + 1), text }))
    .map(({ name, text }) => ({ name, text: headFor(name, text) + text }));
  const rest = named.filter(({ name }) => name !== HEADLESS);
  const fast = await Promise.all(
    named.filter(({ name }) => name === HEADLESS).map((file) => withCompiledCode(dirname(dirname(cli)), file)),
  );
  return [...fast.flat(), ...rest].toSorted(byWriteOrder);
}

const HEADLESS = 'headless.cjs';

function entry(cli) {
  return {
    ...shared(cli),
    entryPoints: { attractor: join(cli, 'src', 'attractor.ts'), 'hand-over': join(cli, 'src', 'hand-over.ts') },
    target: 'node20',
    plugins: [restStaysOutside],
  };
}

/**
 * One file, and CommonJS: an import of a module of Node's own reads all that it exports, even what Node would load only when
 * used, and each further file costs a millisecond.
 */
function headless(cli) {
  return {
    ...shared(cli),
    entryPoints: { headless: join(cli, 'src', 'headless', 'main.ts') },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    target: 'node24',
    define: { 'import.meta.url': '__url', 'import.meta.dirname': '__dirname' },
    banner: { js: URL_OF_FILE + COSTLY_WHEN_USED },
    plugins: [serversStayOutside, ...pluginsFor(cli)],
  };
}

const URL_OF_FILE = 'const __url=require("node:url").pathToFileURL(__filename).href;';

/**
 * Modules of Node's own that take milliseconds to load are loaded when something of them is first used. esbuild's copy of a
 * module (for default and namespace imports) is made from its prototype and its keys: here from the proxy, and none.
 */
const COSTLY_WHEN_USED = `
const __costly=new Set(["child_process","crypto","fs/promises","net","readline","stream","stream/promises","zlib"]);
const __later=new Map();
require=(require=>(id)=>{
const name=id.replace(/^node:/,"");
if(!__costly.has(name))return require(id);
let module;const whole=()=>module??=process.getBuiltinModule(name);
const later=__later.get(name)??new Proxy({},{get:(_,key)=>whole()[key],has:(_,key)=>key in whole(),getPrototypeOf:()=>later});
__later.set(name,later);
return later;
})(require);
`;

function main(cli) {
  return {
    ...shared(cli),
    entryPoints: {
      main: join(cli, 'src', 'main.ts'),
      'session-servers': join(cli, 'src', 'mcp', 'session-servers.ts'),
    },
    target: 'node24',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: pluginsFor(cli),
  };
}

/** What makes the shipped form lighter than its source; `cli`: the folder of the command's package. */
export function pluginsFor(cli) {
  const packages = dirname(cli);
  return [
    onlyEnglishZod,
    lightSchemas(join(packages, 'llm', 'src', 'providers', 'light-schema.ts')),
    lightStreams(join(packages, 'llm', 'src', 'http')),
    nothingAtImport(packages),
  ];
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

/**
 * Most headless runs have no MCP server: what those need is a file of its own, loaded when there is one. It is required, since an
 * import from code that was compiled ahead is an experiment of Node's, which it warns of.
 */
const serversStayOutside = {
  name: 'servers-stay-outside',
  setup(build) {
    build.onLoad({ filter: /[\\/]mcp[\\/]session-servers\.ts$/ }, () => ({
      contents: `module.exports = require('./session-servers.js');`,
      loader: 'js',
    }));
    build.onResolve({ filter: /^\.\/session-servers\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** What the entry loads is decided when it runs. CommonJS is required, since importing it would have it searched for exports. */
const restStaysOutside = {
  name: 'rest-stays-outside',
  setup(build) {
    build.onResolve({ filter: /^\.\/(?:main|hand-over)\.ts$/ }, ({ path }) => ({
      path: path.replace(/\.ts$/, '.js'),
      external: true,
    }));
    build.onLoad({ filter: /[\\/]headless[\\/]main\.ts$/ }, ({ path }) => ({
      contents: `import module from 'node:module';
import { openCompiled } from '../compiled.ts';
const file = import.meta.dirname + '/${HEADLESS}';
export const { main } = openCompiled(file, module.createRequire(file)).run();`,
      loader: 'js',
      resolveDir: dirname(path),
    }));
  },
};

function headFor(name, text) {
  if (name === 'attractor.js') return text.startsWith('#!') ? '' : SHEBANG;
  return !name.endsWith('.cjs') && text.includes(REQUIRE_SHIM) ? REQUIRE : '';
}

function byWriteOrder(a, b) {
  return rank(a.name) - rank(b.name);
}

function rank(name) {
  return ['main.js', 'attractor.js'].indexOf(name);
}
