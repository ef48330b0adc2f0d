/** Node's built-in modules that take long to load. */
const COSTLY = new Set([
  'child_process',
  'crypto',
  'dns',
  'dns/promises',
  'fs/promises',
  'http',
  'http2',
  'https',
  'net',
  'readline',
  'stream',
  'stream/promises',
  'tls',
  'worker_threads',
  'zlib',
]);

/** Modules of which nothing depends on `this`. */
const PLAIN = new Set(['fs', 'os', 'path', 'url']);

/**
 * A `require` that loads a costly module when something of it is first used. esbuild copies a module for each default and namespace import,
 * by its prototype and its keys: here what is copied has no keys, and the module, or what stands for it, is its prototype.
 */
export function costlyWhenUsed(require: NodeJS.Require): NodeJS.Require {
  const later = new Map<string, object>();
  const light = (id: string): unknown => {
    const name = id.replace(/^node:/, '');
    if (!COSTLY.has(name) && !PLAIN.has(name)) return require(id);
    const known: object = later.get(name) ?? (COSTLY.has(name) ? whenUsed(name) : Object.create(require(id)));
    later.set(name, known);
    return known;
  };
  return Object.assign(light, require);
}

function whenUsed(name: string): object {
  let loaded: object | undefined;
  const whole = (): object => (loaded ??= Object(process.getBuiltinModule(name)));
  const later: object = new Proxy(
    {},
    {
      // Whoever copies it asks for this before anything is used.
      get: (_, key): unknown => (key === '__esModule' ? undefined : Reflect.get(whole(), key)),
      has: (_, key) => key in whole(),
      getPrototypeOf: () => later,
    },
  );
  return later;
}
