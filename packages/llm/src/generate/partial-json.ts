/**
 * Parses JSON that is still arriving. Grammar (RFC 8259):
 *
 *   value   = object | array | string | number | "true" | "false" | "null"
 *   object  = "{" [ string ":" value *( "," string ":" value ) ] "}"
 *   array   = "[" [ value *( "," value ) ] "]"
 *
 * Open values count as far as they are certain: a string up to its last whole character; a number or a word only if something follows it; a
 * key only with its value. Text that is not JSON stops the reader: `value` stays what it was. Each returned value is a snapshot that later
 * text never changes; closed parts are shared between snapshots.
 */
export type PartialJsonReader = {
  /** True if this text changed the value. */
  readonly push: (text: string) => boolean;
  /** `undefined` until a value has begun. */
  readonly value: () => unknown;
};

/** A reader for one value. */
export function partialJsonReader(): PartialJsonReader {
  const reader = new Reader();
  return {
    push: (text) => reader.push(text),
    value: () => reader.snapshot(),
  };
}

type Container =
  | { readonly kind: 'object'; readonly entries: Record<string, unknown>; key: string | undefined }
  | { readonly kind: 'array'; readonly items: unknown[] };

type Expecting = 'value' | 'firstItem' | 'firstKey' | 'key' | 'colon' | 'separator' | 'end' | 'nothing';

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

class Reader {
  readonly #open: Container[] = [];
  #expecting: Expecting = 'value';
  #root: unknown = undefined;
  /** The string, number or word that is being read; `escape` holds a backslash and what followed it so far. */
  #string: { text: string; escape: string } | undefined;
  #word = '';
  #changed = false;

  push(text: string): boolean {
    this.#changed = false;
    for (const char of text) {
      if (this.#expecting === 'nothing') break;
      if (this.#string !== undefined) this.#inString(this.#string, char);
      else if (/[\w.+-]/.test(char)) this.#word += char;
      else this.#between(char);
    }
    return this.#changed;
  }

  snapshot(): unknown {
    const open = this.#string !== undefined && !this.#readsKey() ? wholeCharacters(this.#string.text) : undefined;
    let child: unknown = open;
    for (const container of this.#open.toReversed()) child = withChild(container, child);
    return this.#open.length === 0 && open === undefined ? this.#root : child;
  }

  #between(char: string): void {
    this.#endWord();
    if (char === '"') this.#beginString();
    else if (char === '{' || char === '[') this.#beginContainer(char);
    else if (char === '}' || char === ']') this.#endContainer(char);
    else if (char === ':' && this.#expecting === 'colon') this.#expecting = 'value';
    else if (char === ',' && this.#expecting === 'separator') this.#expecting = this.#inObject() ? 'key' : 'value';
    else if (!/\s/.test(char)) this.#stop();
  }

  #beginString(): void {
    if (!this.#readsKey() && !this.#wantsValue()) return this.#stop();
    this.#string = { text: '', escape: '' };
    this.#changed ||= !this.#readsKey();
  }

  #inString(string: { text: string; escape: string }, char: string): void {
    if (string.escape !== '') this.#inEscape(string, char);
    else if (char === '\\') string.escape = char;
    else if (char === '"') this.#endString(string.text);
    else this.#append(string, char);
  }

  #inEscape(string: { text: string; escape: string }, char: string): void {
    string.escape += char;
    const plain = ESCAPES[char];
    if (string.escape.length === 2 && plain !== undefined) this.#append(string, plain);
    else if (!/^\\u[0-9a-fA-F]{0,4}$/.test(string.escape)) this.#stop();
    else if (string.escape.length === 6)
      this.#append(string, String.fromCharCode(Number.parseInt(string.escape.slice(2), 16)));
  }

  #append(string: { text: string; escape: string }, piece: string): void {
    string.text += piece;
    string.escape = '';
    this.#changed ||= !this.#readsKey();
  }

  #endString(text: string): void {
    this.#string = undefined;
    const container = this.#open.at(-1);
    if (!this.#readsKey() || container?.kind !== 'object') return this.#place(text);
    container.key = text;
    this.#expecting = 'colon';
  }

  #endWord(): void {
    if (this.#word === '') return;
    const word = this.#word;
    this.#word = '';
    if (this.#wantsValue() && WORD.test(word)) this.#place(JSON.parse(word));
    else this.#stop();
  }

  #beginContainer(char: '{' | '['): void {
    if (!this.#wantsValue()) return this.#stop();
    this.#open.push(char === '{' ? { kind: 'object', entries: {}, key: undefined } : { kind: 'array', items: [] });
    this.#expecting = char === '{' ? 'firstKey' : 'firstItem';
    this.#changed = true;
  }

  #endContainer(char: '}' | ']'): void {
    const container = this.#open.at(-1);
    const [kind, empty] = char === '}' ? (['object', 'firstKey'] as const) : (['array', 'firstItem'] as const);
    if (container?.kind !== kind || (this.#expecting !== 'separator' && this.#expecting !== empty)) return this.#stop();
    this.#open.pop();
    this.#place(container.kind === 'object' ? container.entries : container.items);
  }

  #place(value: unknown): void {
    const container = this.#open.at(-1);
    if (container === undefined) this.#root = value;
    else if (container.kind === 'array') container.items.push(value);
    else setEntry(container.entries, container.key ?? '', value);
    this.#expecting = container === undefined ? 'end' : 'separator';
    this.#changed = true;
  }

  #stop(): void {
    this.#expecting = 'nothing';
  }

  #readsKey(): boolean {
    return this.#expecting === 'key' || this.#expecting === 'firstKey';
  }

  #wantsValue(): boolean {
    return this.#expecting === 'value' || this.#expecting === 'firstItem';
  }

  #inObject(): boolean {
    return this.#open.at(-1)?.kind === 'object';
  }
}

/** An escaped surrogate pair arrives in halves. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}

function withChild(container: Container, child: unknown): unknown {
  if (container.kind === 'array') return child === undefined ? [...container.items] : [...container.items, child];
  const copy = { ...container.entries };
  if (child !== undefined) setEntry(copy, container.key ?? '', child);
  return copy;
}

/** Defines instead of assigning: the key `__proto__` is ordinary data. */
function setEntry(entries: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(entries, key, { value, enumerable: true, configurable: true, writable: true });
}
