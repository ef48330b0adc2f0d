import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const HEADLESS = 'headless.cjs';

/**
 * One file, and CommonJS: importing a Node built-in reads everything it exports, even what Node would load only when used, and each further
 * file costs a millisecond.
 */
export function headlessFile(main, cli) {
  return {
    ...main,
    entryPoints: { headless: join(cli, 'src', 'headless', 'main.ts') },
    format: 'cjs',
    splitting: false,
    chunkNames: undefined,
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.url': '__url', 'import.meta.dirname': '__dirname' },
    banner: { js: URL_OF_FILE + COSTLY_WHEN_USED },
    plugins: [serversStayOutside, ...main.plugins],
  };
}

const URL_OF_FILE = 'const __url=require("node:url").pathToFileURL(__filename).href;';

/**
 * Slow Node built-ins are loaded when something of them is first used. esbuild's copy of a module (for default and namespace imports) is
 * made from its prototype and its keys: here from the proxy, and none.
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

/**
 * Most headless runs have no MCP server: that code is a separate file, loaded when there is one. It is required, since an import from code
 * that was compiled ahead is experimental in Node, which warns about it.
 */
const serversStayOutside = {
  name: 'servers-stay-outside',
  setup(build) {
    build.onLoad({ filter: /[\\/]open[\\/]session-servers\.ts$/ }, () => ({
      contents: `module.exports = require('./session-servers.js');`,
      loader: 'js',
    }));
    build.onResolve({ filter: /^\.\/session-servers\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** In front of `main.js` is a choice: see `front.ts`. */
export const frontDoor = {
  name: 'front-door',
  setup(build) {
    build.onResolve({ filter: /^\.\/main\.ts$/ }, ({ importer }) => ({
      path: join(dirname(importer), 'front'),
      namespace: 'front',
    }));
    build.onResolve({ filter: /^\.\/main\.js$/, namespace: 'front' }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: 'front' }, () => ({
      contents: `import { isPlainlyHeadless, runHeadless } from './front.ts';
const file = import.meta.dirname + '/${HEADLESS}';
export const main = async (argv) => isPlainlyHeadless(argv) ? runHeadless(file, argv) : (await import('./main.js')).main(argv);`,
      loader: 'js',
      resolveDir: dirname(fileURLToPath(import.meta.url)),
    }));
  },
};
