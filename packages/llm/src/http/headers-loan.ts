import { LightHeaders } from './light-headers.ts';

/**
 * The AI SDK builds its request headers with the global `Headers`, and merely reading that name loads undici.
 * While a request is being built the name answers with `LightHeaders`; at all other times it gives the platform's class.
 * Nothing is touched in a process where undici is loaded already, or where someone replaced the global.
 */
export function borrowLightHeaders(): () => void {
  if (!installed && undiciIsLoaded()) return () => undefined;
  install();
  loans += 1;
  let returned = false;
  return () => {
    if (returned) return;
    returned = true;
    loans -= 1;
  };
}

let installed = false;
let loans = 0;

/** Reading the property's descriptor would load undici as well, so the module list is the only quiet witness. */
function undiciIsLoaded(): boolean {
  const loaded: unknown = Reflect.get(process, 'moduleLoadList');
  return !Array.isArray(loaded) || loaded.some((name) => String(name).endsWith('internal/deps/undici/undici'));
}

function install(): void {
  if (installed) return;
  installed = true;
  // Defining over the platform's lazy property reads it first; removing it does not.
  Reflect.deleteProperty(globalThis, 'Headers');
  Object.defineProperty(globalThis, 'Headers', {
    configurable: true,
    enumerable: false,
    get: () => (loans > 0 ? LightHeaders : settle(platformHeaders())),
    set: (value: unknown) => {
      settle(value);
    },
  });
}

/** `Response` is loaded by the platform on first use and knows the class whose name we shadow. */
function platformHeaders(): unknown {
  return new Response().headers.constructor;
}

function settle(value: unknown): unknown {
  Object.defineProperty(globalThis, 'Headers', { configurable: true, enumerable: false, writable: true, value });
  return value;
}
