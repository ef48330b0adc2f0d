import type { Source, SourceReading } from '../source.ts';
import { type ForeignReading, prefixRule, startReading } from './reading.ts';

/*
 * file     = { call }
 * call     = name "(" [ argument { "," argument } [ "," ] ] ")"
 * argument = name "=" value
 * value    = string { string } | "[" [ value { "," value } [ "," ] ] "]"
 * string   = one, or three, of ' or " around any text; a backslash escapes the next letter
 * Between tokens: blanks, line ends, and "#" up to the end of its line.
 *
 * This is the part of Starlark that these files use. Nothing is run; a file that uses more can't be parsed, and fails closed.
 */
type Token = { readonly kind: 'name' | 'text' | 'mark'; readonly value: string; readonly line: number };

type Value = string | ReadonlyArray<Value>;

class Unexpected extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** `rules/*.rules`. */
export function readCodexRules(source: Source): SourceReading {
  const reading = startReading(source);
  try {
    const tokens = tokensOf(source.text);
    const at: Cursor = { tokens, next: 0, last: source.text.split('\n').length };
    while (at.next < tokens.length) readCall(at, reading);
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    reading.fail(error.line, error.message);
  }
  return reading;
}

const TOKEN =
  /(?<blank>(?:[ \t\r\n]|#[^\n]*)+)|(?<text>"""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<name>[A-Za-z_]\w*)|(?<mark>[()[\],=])/y;

function tokensOf(text: string): ReadonlyArray<Token> {
  const tokens: Token[] = [];
  const reader = new RegExp(TOKEN);
  let line = 1;
  while (reader.lastIndex < text.length) {
    const groups = reader.exec(text)?.groups;
    if (groups === undefined) throw new Unexpected(line, EXPECTED_CALL);
    const { blank, text: quoted, name, mark } = groups;
    if (quoted !== undefined) tokens.push({ kind: 'text', value: unquoted(quoted), line });
    else if (name !== undefined) tokens.push({ kind: 'name', value: name, line });
    else if (mark !== undefined) tokens.push({ kind: 'mark', value: mark, line });
    line += (blank ?? quoted ?? '').split('\n').length - 1;
  }
  return tokens;
}

const EXPECTED_CALL = 'expected only prefix_rule(pattern=[…], decision="…") here';

function unquoted(quoted: string): string {
  const marks = /^(?:"""|''')/.test(quoted) ? 3 : 1;
  return quoted.slice(marks, -marks).replaceAll(/\\([^])/g, (_written, letter: string) => ESCAPES[letter] ?? letter);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

type Cursor = { readonly tokens: ReadonlyArray<Token>; next: number; readonly last: number };

function take(at: Cursor, value: string, message = EXPECTED_CALL): Token {
  const token = at.tokens[at.next];
  if (token?.kind === 'text' || token?.value !== value) throw new Unexpected(token?.line ?? at.last, message);
  at.next += 1;
  return token;
}

function isMark(at: Cursor, value: string): boolean {
  const token = at.tokens[at.next];
  return token?.kind === 'mark' && token.value === value;
}

function readCall(at: Cursor, reading: ForeignReading): void {
  const { line } = take(at, 'prefix_rule');
  take(at, '(');
  const given = new Map<string, Value>();
  while (!isMark(at, ')')) {
    const name = at.tokens[at.next];
    if (name?.kind !== 'name' || !ARGUMENTS.has(name.value) || given.has(name.value))
      throw new Unexpected(name?.line ?? at.last, `expected one of ${[...ARGUMENTS].join(', ')}, each once`);
    at.next += 1;
    take(at, '=', `expected = after ${name.value}`);
    given.set(name.value, readValue(at));
    if (!isMark(at, ')')) take(at, ',', 'expected , or )');
  }
  take(at, ')');
  addRules(reading, given, line);
}

const ARGUMENTS: ReadonlySet<string> = new Set(['pattern', 'decision', 'justification', 'match', 'not_match']);

function readValue(at: Cursor): Value {
  const token = at.tokens[at.next];
  if (token?.kind === 'text') {
    at.next += 1;
    const more = at.tokens[at.next]?.kind === 'text' ? readValue(at) : '';
    return token.value + String(more);
  }
  take(at, '[', 'expected a text in quotes, or a list');
  const items: Value[] = [];
  while (!isMark(at, ']')) {
    items.push(readValue(at));
    if (!isMark(at, ']')) take(at, ',', 'expected , or ]');
  }
  take(at, ']');
  return items;
}

const DECISIONS: Readonly<Record<string, string>> = { allow: 'allow', prompt: 'ask', forbidden: 'deny' };

function addRules(reading: ForeignReading, given: ReadonlyMap<string, Value>, line: number): void {
  const decision = given.get('decision') ?? 'allow';
  const behavior = typeof decision === 'string' && Object.hasOwn(DECISIONS, decision) ? DECISIONS[decision] : undefined;
  const pattern = alternatives(given.get('pattern'));
  if (behavior === undefined || pattern === null)
    return reading.fail(line, 'expected pattern=[…] and decision="allow", "prompt" or "forbidden"');
  for (const rule of pattern.map(prefixRule)) {
    if (rule !== null) reading.entry(`permissions.${behavior}`, rule, { line });
    else if (behavior === 'allow')
      reading.leave('prefix_rule', line, 'a word of its pattern means something else here');
    else reading.fail(line, 'a word of this pattern means something else here: write the rule in config.json');
  }
}

/** Every list of words that the pattern stands for; null if it is invalid. */
function alternatives(pattern: Value | undefined): ReadonlyArray<ReadonlyArray<string>> | null {
  if (pattern === undefined || typeof pattern === 'string' || pattern.length === 0) return null;
  let all: ReadonlyArray<ReadonlyArray<string>> = [[]];
  for (const part of pattern) {
    const words = typeof part === 'string' ? [part] : part;
    if (words.length === 0 || !words.every((word): word is string => typeof word === 'string')) return null;
    all = all.flatMap((before) => words.map((word) => [...before, word]));
    if (all.length > MAX_ALTERNATIVES) return null;
  }
  return all;
}

const MAX_ALTERNATIVES = 1000;
