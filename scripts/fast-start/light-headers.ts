/**
 * The part of the web `Headers` class that HTTP clients use, without the platform's own: reading the global `Headers` loads undici (40 ms
 * and 20 MB at start-up). Names are case-insensitive and stored in lower case; iteration is sorted by name, like the platform's.
 */
export class LightHeaders implements Iterable<[string, string]> {
  readonly #values = new Map<string, string>();

  constructor(init?: Iterable<readonly [string, string]> | Readonly<Record<string, string>> | null) {
    if (init === undefined || init === null) return;
    const entries = isIterable(init) ? init : Object.entries(init);
    for (const [name, value] of entries) this.append(name, value);
  }

  append(name: string, value: string): void {
    const key = name.toLowerCase();
    const before = this.#values.get(key);
    this.#values.set(key, before === undefined ? clean(value) : `${before}${separator(key)}${clean(value)}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  getSetCookie(): string[] {
    return this.get('set-cookie')?.split('\n') ?? [];
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), clean(value));
  }

  forEach(visit: (value: string, name: string, headers: LightHeaders) => void): void {
    for (const [name, value] of this) visit(value, name, this);
  }

  entries(): ArrayIterator<[string, string]> {
    return [...this.#values].toSorted(([a], [b]) => (a < b ? -1 : 1)).values();
  }

  keys(): IteratorObject<string, undefined> {
    return this.entries().map(([name]) => name);
  }

  values(): IteratorObject<string, undefined> {
    return this.entries().map(([, value]) => value);
  }

  [Symbol.iterator](): ArrayIterator<[string, string]> {
    return this.entries();
  }
}

function isIterable(init: object): init is Iterable<readonly [string, string]> {
  return Symbol.iterator in init;
}

/** Cookies may contain commas, so they are the one header that is not joined by them. */
function separator(name: string): string {
  return name === 'set-cookie' ? '\n' : ', ';
}

function clean(value: string): string {
  return value.trim();
}
