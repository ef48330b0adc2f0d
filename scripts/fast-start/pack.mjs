import { createHash } from 'node:crypto';
import { placed } from './places.mjs';

/**
 * The files of a program as one, as CommonJS: importing a Node built-in reads everything it exports, even what Node would load only when
 * used, and each file that Node itself looks for costs a millisecond. `packed.ts` opens it. All that every start of the program needs is one
 * piece, in which nothing has to be looked up in another; each file that is imported later is its own.
 *
 * @param {string} program the name of the entry among the files
 * @param {{ name: string, text: string }[]} files
 */
export async function pack(program, files) {
  const esbuild = await import('esbuild');
  const names = new Set(files.map(({ name }) => name));
  const texts = new Map(files.map(({ name, text }) => [name, withPieces(text, names)]));
  const first = reachedFrom(`${program}.js`, texts);
  const later = [...names].filter((name) => !first.has(name));
  const asked = new Set([
    ...later.flatMap((name) => importsIn(texts.get(name))),
    ...[...texts.values()].flatMap(piecesIn),
  ]);
  const pieces = await Promise.all([
    joined(esbuild, {
      texts,
      first,
      contents: handsOut(
        program,
        [...asked].filter((name) => first.has(name)),
      ),
    }),
    ...later.map(async (name) => (await esbuild.transform(texts.get(name), AS_COMMON_JS)).code),
  ]);
  const inOrder = [`${program}.js`, ...later];
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  const places = pieces.map((piece, at) => ({ name: inOrder[at], bytes: Buffer.from(piece) }));
  return { name: `${program}.pack`, text: placed(hash.digest('hex').slice(0, 32), places) };
}

const AS_COMMON_JS = {
  format: 'cjs',
  platform: 'node',
  target: 'node24',
  minify: true,
  legalComments: 'none',
  supported: { 'dynamic-import': false },
};

/**
 * What is imported later is asked of who opened the pack, which hands out the same object each time: esbuild would copy all that a file
 * exports whenever it is imported, which in a loop is done in every round.
 */
function withPieces(text, names) {
  return text.replaceAll(/\bimport\(("\.\/([^"]+)")\)/g, (whole, quoted, name) =>
    names.has(name) ? `__piece(${quoted})` : whole,
  );
}

function piecesIn(text) {
  return [...text.matchAll(/\b__piece\("\.\/([^"]+)"\)/g)].map(([, name]) => name);
}

function reachedFrom(name, texts, reached = new Set()) {
  if (reached.has(name) || !texts.has(name)) return reached;
  reached.add(name);
  for (const next of importsIn(texts.get(name))) reachedFrom(next, texts, reached);
  return reached;
}

/** Of a file that esbuild made: what it imports at once, from beside it. */
function importsIn(text) {
  return [...text.matchAll(/\b(?:from|import)\s*"\.\/([^"]+)"/g)].map(([, name]) => name);
}

/** The first piece exports what the program does, and as `parts` those of its files that later ones import. */
function handsOut(program, asked) {
  const imports = asked.map((name, at) => `import * as part${at} from './${name}';`);
  const entries = asked.map((name, at) => `${JSON.stringify(name)}: part${at}`);
  return `${imports.join('')}export * from './${program}.js';export const parts = { ${entries.join(', ')} };`;
}

async function joined(esbuild, { texts, first, contents }) {
  const inside = {
    name: 'inside',
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ path, kind }) => {
        const name = path.slice(2);
        const isInside = kind === 'import-statement' && first.has(name);
        return isInside ? { path: name, namespace: 'piece' } : { path, external: true };
      });
      build.onLoad({ filter: /.*/, namespace: 'piece' }, ({ path }) => ({ contents: texts.get(path), loader: 'js' }));
    },
  };
  const options = { ...AS_COMMON_JS, bundle: true, write: false, logLevel: 'silent', packages: 'external' };
  const { outputFiles } = await esbuild.build({ ...options, stdin: { contents }, plugins: [inside] });
  return outputFiles[0].text;
}
