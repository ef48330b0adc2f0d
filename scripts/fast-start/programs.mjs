import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The programs that become a pack, by the name of their entry: `attractor -p`, `attractor` alone, and every other command. */
export const PROGRAMS = { headless: ['headless', 'main.ts'], main: ['main.ts'], terminal: ['converse', 'main.ts'] };

/** The options for building a program, whose files are then packed; `main`: those of `main.js`. */
export function programBuild(main, cli, name) {
  const entry = join(cli, 'src', ...PROGRAMS[name]);
  return {
    ...main,
    entryPoints: { [name]: entry },
    outdir: join(main.outdir, name),
    chunkNames: '[name]-[hash]',
    define: {
      'import.meta.url': '__url',
      'import.meta.dirname': '__dirname',
      'import.meta.resolve': '__resolve',
      'performance.now': '__now',
    },
    plugins: [importsFromOutside, ...main.plugins],
  };
}

/** Code that was compiled ahead can't import: what is known only when it runs is imported by who opened the pack. */
const importsFromOutside = {
  name: 'imports-from-outside',
  setup(build) {
    build.onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replaceAll(/\bawait import\((?!['"])/g, 'await __import(');
      return contents === text ? undefined : { contents, loader: 'ts' };
    });
  },
};

/** In front of the programs is a choice: see `front.ts`. */
export const frontDoor = {
  name: 'front-door',
  setup(build) {
    build.onResolve({ filter: /^\.\/main\.ts$/ }, ({ importer }) => ({
      path: join(dirname(importer), 'front'),
      namespace: 'front',
    }));
    build.onLoad({ filter: /.*/, namespace: 'front' }, () => ({
      contents: `import { isAtTerminal, programFor, runPack } from './front.ts';
const folder = import.meta.dirname;
export const main = (argv) => runPack(folder + '/' + programFor(argv, isAtTerminal) + '.pack', argv);`,
      loader: 'js',
      resolveDir: dirname(fileURLToPath(import.meta.url)),
    }));
  },
};
