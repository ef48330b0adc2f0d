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

/**
 * A `require` that loads such a module when something of it is first used. esbuild's copy of a module (for default and namespace imports) is
 * made from its prototype and its keys: here from the proxy, and none.
 */
export function costlyWhenUsed(require: NodeJS.Require): NodeJS.Require {
  const later = new Map<string, object>();
  const light = (id: string): unknown => {
    const name = id.replace(/^node:/, '');
    if (!COSTLY.has(name)) return require(id);
    const known = later.get(name) ?? whenUsed(name);
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
      get: (_, key): unknown => Reflect.get(whole(), key),
      has: (_, key) => key in whole(),
      getPrototypeOf: () => later,
    },
  );
  return later;
}
