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
  'timers/promises',
  'tls',
  'v8',
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
  const known = new Map<string, object>();
  const light = (id: string): unknown => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const name = id.replace(/^node:/, '');
    const found = known.get(name) ?? lightForm(id, name);
    if (found === undefined) return require(id);
    known.set(id, found).set(name, found);
    return found;
  };
  return Object.assign(light, require);
}

/** Absent: it is no module of Node's. */
function lightForm(id: string, name: string): object | undefined {
  if (COSTLY.has(name)) return whenUsed(name);
  const whole = process.getBuiltinModule(id);
  return whole === undefined || !PLAIN.has(name) ? whole : Object.create(whole);
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
