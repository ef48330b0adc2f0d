import type { Script as CompiledScript } from 'node:vm';
import { defined } from '@attractor/base';
import { openPlaces, placed, type Places } from './places.mjs';

/**
 * CommonJS files in one, together with the code that V8 compiled for them at build time: of a program only what is required is read and run.
 * Node's own compile cache holds what is compiled when a file is loaded; this holds every function that was used while building, so that
 * none is compiled again.
 *
 * The code file begins with the id of the pack and the Node it was made for: code of another build or of another Node is never run. V8
 * itself refuses code that was made under other flags.
 */
export type Packed<Exports> = {
  /** Runs the first of the files. */
  readonly run: () => Exports;
  /** The code file's content, with everything compiled so far. */
  readonly code: () => Uint8Array;
  /** Whether there was code for every file that was run, and V8 accepted it. */
  readonly wasCompiled: () => boolean;
};

type Opened = { readonly script: CompiledScript; readonly module: Module };

/** `parts`: files that were joined into this one, for those that import them. */
type Module = { exports: { readonly parts?: Readonly<Record<string, unknown>> } };

/** `require` is the one that the files see, for all that is not in the pack. */
export function openPacked<Exports>(file: string, require: NodeJS.Require): Packed<Exports> {
  const { Script } = process.getBuiltinModule('node:vm');
  const { pathToFileURL } = process.getBuiltinModule('node:url');
  const pack = openPlaces(file);
  const code = matchingCode(`${file}.code`, markOf(pack));
  const folder = file.slice(0, file.lastIndexOf('/'));
  const resolve = (name: string): string => pathToFileURL(require.resolve(name)).href;
  const about = [importFor, async (name: string) => requireFor(name), pathToFileURL(file).href, resolve, now];
  const opened = new Map<string, Opened>();
  const parts = new Map<string, unknown>();

  function open(name: string): unknown {
    const before = opened.get(name);
    if (before !== undefined) return before.module.exports;
    const script = new Script(`${HEAD}${pack.read(name)?.toString()}\n})`, {
      filename: `${folder}/${name}`,
      ...defined({ cachedData: code?.read(name) }),
    });
    const module: Module = { exports: {} };
    opened.set(name, { script, module });
    script.runInThisContext()(module.exports, requireFor, module, file, folder, ...about);
    for (const [part, exports] of Object.entries(module.exports.parts ?? {})) parts.set(part, exports);
    return module.exports;
  }

  const requireFor = Object.assign(
    (name: string): unknown => {
      const own = name.slice(2);
      return parts.get(own) ?? (pack.names.includes(own) ? open(own) : require(name));
    },
    { resolve: require.resolve },
  );

  return {
    run: () => open(pack.names[0] ?? '') as Exports,
    code: () => packedCode(markOf(pack), opened),
    wasCompiled: () => opened.values().every(({ script }) => script.cachedDataRejected === false),
  };
}

/**
 * `__import` imports what is known only when the files run, and `__piece` another file of the pack; `__url` and `__resolve` stand for what
 * `import.meta` has, and `__now` for `performance.now`.
 */
const HEAD = '(function(exports,require,module,__filename,__dirname,__import,__piece,__url,__resolve,__now){';

/** The same clock, from the start of the process on. Whoever names `performance` has Node load all that can be measured: ten modules. */
function now(): number {
  return process.uptime() * 1_000;
}

function importFor(name: string): Promise<unknown> {
  return import(name);
}

function markOf({ id }: Places): string {
  return `${id} ${process.version} ${process.arch}`;
}

function matchingCode(file: string, mark: string): Places | undefined {
  try {
    const code = openPlaces(file);
    return code.id === mark ? code : undefined;
  } catch {
    return undefined;
  }
}

function packedCode(mark: string, opened: ReadonlyMap<string, Opened>): Uint8Array {
  const codes = [...opened].map(([name, { script }]) => ({ name, bytes: script.createCachedData() }));
  return placed(mark, codes);
}
