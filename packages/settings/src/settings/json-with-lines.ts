/*
 * value  = object | array | string | number | "true" | "false" | "null"
 * object = "{" [ string ":" value { "," string ":" value } ] "}"
 * array  = "[" [ value { "," value } ] "]"
 * Between tokens: blanks; with `comments` also // and block comments, and a comma before a closing bracket.
 * A duplicate key in an object is refused, as two readers would disagree about which one counts, unless the caller says that the last does.
 */

/** A JSON value with its line. `keyLine` is the line of the key before it, or its own. */
export type JsonNode = {
  readonly line: number;
  readonly keyLine: number;
  readonly value: unknown;
  readonly members: ReadonlyMap<string, JsonNode> | null;
  readonly items: ReadonlyArray<JsonNode> | null;
};

export type JsonReading =
  | { readonly ok: true; readonly node: JsonNode; readonly repeated: ReadonlyArray<RepeatedKey> }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** A key that its object has more than once, by its path (`a.b`), with the line of the last one. */
export type RepeatedKey = { readonly name: string; readonly line: number };

/** `lastCounts`: whether of a repeated key, by its path, the last one counts. Absent: none may be repeated. */
export type JsonOptions = { readonly comments?: boolean; readonly lastCounts?: (name: string) => boolean };

/** Parses one JSON value; a mistake is reported with its line. */
export function readJsonWithLines(text: string, options: JsonOptions = {}): JsonReading {
  const { comments = false, lastCounts = () => false } = options;
  const start = { at: 0, depth: 0, line: 1, counted: 0, keys: [], repeated: [] };
  const reader: Reader = { ...start, text: text.replace(/^\ufeff/, ''), comments, lastCounts };
  try {
    const node = readValue(reader, null);
    if (next(reader) !== undefined) throw new Unexpected(reader, 'nothing more');
    return { ok: true, node, repeated: reader.repeated };
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    return { ok: false, line: error.line, message: error.message };
  }
}

type Reader = {
  readonly text: string;
  readonly comments: boolean;
  readonly lastCounts: (name: string) => boolean;
  /** The keys that lead to the current place. */
  readonly keys: string[];
  readonly repeated: RepeatedKey[];
  at: number;
  depth: number;
  /** The line of `counted`, which never passes `at`. */
  line: number;
  counted: number;
};

const MAX_DEPTH = 200;

class Unexpected extends Error {
  readonly line: number;

  constructor(reader: Reader, expected: string) {
    const found = reader.at >= reader.text.length ? 'the end of the file' : JSON.stringify(reader.text[reader.at]);
    super(`not valid JSON: expected ${expected}, found ${found}`);
    this.line = lineAt(reader);
  }
}

function lineAt(reader: Reader): number {
  for (; reader.counted < reader.at; reader.counted += 1) if (reader.text[reader.counted] === '\n') reader.line += 1;
  return reader.line;
}

const BLANKS = /[ \t\r\n]*/y;
const BLANKS_AND_COMMENTS = /(?:[ \t\r\n]|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/y;

/** The next significant character; undefined at the end. */
function next(reader: Reader): string | undefined {
  match(reader, reader.comments ? BLANKS_AND_COMMENTS : BLANKS);
  return reader.text[reader.at];
}

function match(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? null;
  if (found !== null) reader.at += found.length;
  return found;
}

function readValue(reader: Reader, keyLine: number | null): JsonNode {
  const first = next(reader);
  const line = lineAt(reader);
  const place = { line, keyLine: keyLine ?? line };
  if (first === '{') return { ...place, ...readObject(reader) };
  if (first === '[') return { ...place, ...readArray(reader) };
  return { ...place, value: first === '"' ? readString(reader) : readPlain(reader), members: null, items: null };
}

type Content = Pick<JsonNode, 'value' | 'members' | 'items'>;

function readObject(reader: Reader): Content {
  const members = new Map<string, JsonNode>();
  eachPart(reader, '}', () => {
    if (next(reader) !== '"') throw new Unexpected(reader, 'a key in quotes');
    const line = lineAt(reader);
    const key = readString(reader);
    reader.keys.push(key);
    if (members.has(key)) readRepeated(reader, line);
    if (next(reader) !== ':') throw new Unexpected(reader, 'a colon after the key');
    reader.at += 1;
    members.set(key, readValue(reader, line));
    reader.keys.pop();
  });
  return { value: plainObject(members), members, items: null };
}

function readRepeated(reader: Reader, line: number): void {
  const name = reader.keys.join('.');
  if (!reader.lastCounts(name)) throw new Unexpected(reader, `the key ${JSON.stringify(reader.keys.at(-1))} only once`);
  reader.repeated.push({ name, line });
}

/** Own properties only, `__proto__` included. */
function plainObject(members: ReadonlyMap<string, JsonNode>): object {
  return Object.fromEntries([...members].map(([key, { value }]) => [key, value]));
}

function readArray(reader: Reader): Content {
  const items: JsonNode[] = [];
  eachPart(reader, ']', () => void items.push(readValue(reader, null)));
  return { value: items.map(({ value }) => value), members: null, items };
}

function eachPart(reader: Reader, end: '}' | ']', read: () => void): void {
  reader.at += 1;
  reader.depth += 1;
  if (reader.depth > MAX_DEPTH) throw new Unexpected(reader, `at most ${MAX_DEPTH} brackets inside each other`);
  for (let isFirst = true; next(reader) !== end; isFirst = false) {
    if (!isFirst) {
      if (next(reader) !== ',') throw new Unexpected(reader, `a comma or "${end}"`);
      reader.at += 1;
      if (reader.comments && next(reader) === end) break;
    }
    read();
  }
  reader.at += 1;
  reader.depth -= 1;
}

const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function readString(reader: Reader): string {
  const found = match(reader, STRING);
  if (found === null) throw new Unexpected(reader, 'a string that ends on its line');
  return String(JSON.parse(found));
}

function readPlain(reader: Reader): unknown {
  const found = match(reader, PLAIN);
  if (found === null) throw new Unexpected(reader, 'a value');
  return JSON.parse(found);
}
