/** A command in a quick scan: its words, its statement, and whether another one was opened before it there. */
export type ScannedCommand = {
  readonly text: string;
  readonly words: ReadonlyArray<string>;
  readonly statement: number;
  readonly opened: boolean;
};

export type TextScan = {
  /** Whether the grammar can parse it in time: its cost grows with what is open at once. */
  readonly readable: boolean;
  readonly commands: ReadonlyArray<ScannedCommand>;
};

/** Above these a text is only scanned. A command that a person would read stays far below. */
const MOST = { separators: 240, openers: 120, words: 1_500, quotes: 1_200, commands: 4_000, members: 100 } as const;

/**
 * One pass over the text that understands only quotes, linear in its length. Texts between quotes are words, but `$(` and a backtick start
 * a command even there. The same statement is not reported twice.
 */
export function scanText(text: string): TextScan {
  const look: ScanState = newLook(text);
  const counts = { separators: 0, openers: countOpeners(text), words: 0, quotes: 0 };
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (KINDS[code] ?? PLAIN) : isBlank(code) ? BLANK : PLAIN;
    let end = at + 1;
    if (kind === PLAIN) {
      end = plainEnd(text, end);
      look.word = join(look.word, text.slice(at, end));
    } else if (kind === BLANK) {
      if (look.word !== null) counts.words += 1;
      endWord(look);
    } else if (kind === QUOTE) {
      counts.quotes += 1;
      end = quoteEnd(text, at, code);
      look.word = join(look.word, text.slice(at + 1, Math.max(at + 1, end - 1)));
    } else if (kind === ESCAPE) {
      end = Math.min(text.length, at + 2);
      look.word = join(look.word, text.slice(at + 1, end));
    } else if (staysInWord(text, at, code)) {
      end = code === DOLLAR ? variableEnd(text, at) : at + 1;
      look.word = join(look.word, text.slice(at, end));
    } else {
      end = separatorEnd(text, at, code);
      endCommand(look, at);
      look.start = end;
      counts.words += 1;
      counts.separators += 1;
      if (kind === OPEN || code === DOLLAR) {
        counts.openers += 1;
        look.opened = true;
      } else if (code !== PIPE || text.charCodeAt(at + 1) === PIPE) endStatement(look, at, end);
    }
    at = end;
  }
  endCommand(look, text.length);
  endStatement(look, text.length, text.length);
  counts.words += 1;
  return { readable: isReadable(counts), commands: look.commands };
}

function isReadable(counts: Readonly<Record<'separators' | 'openers' | 'words' | 'quotes', number>>): boolean {
  return (
    counts.separators <= MOST.separators &&
    counts.openers <= MOST.openers &&
    counts.words <= MOST.words &&
    counts.quotes <= MOST.quotes
  );
}

/** The current command and statement, and those before them. */
type ScanState = {
  readonly text: string;
  words: string[];
  word: string | null;
  start: number;
  opened: boolean;
  statement: { readonly number: number; readonly start: number; readonly commands: number };
  readonly seen: Set<string>;
  readonly commands: ScannedCommand[];
};

function newLook(text: string): ScanState {
  const statement = { number: 0, start: 0, commands: 0 };
  return { text, words: [], word: null, start: 0, opened: false, statement, seen: new Set(), commands: [] };
}

function endWord(look: ScanState): void {
  if (look.word !== null && look.words.length < MOST.words) look.words.push(look.word);
  look.word = null;
}

function endCommand(look: ScanState, at: number): void {
  endWord(look);
  if (look.words.length === 0) return;
  const source = look.text.slice(look.start, Math.min(at, look.start + 2_000)).trim();
  const many = look.commands.length - look.statement.commands > MOST.members;
  if (look.commands.length < MOST.commands && !(many && look.seen.has(source))) {
    if (many) look.seen.add(source);
    const { words, statement, opened } = look;
    look.commands.push({ text: source, words, statement: statement.number, opened });
  }
  look.words = [];
}

function endStatement(look: ScanState, at: number, end: number): void {
  const source = look.text.slice(look.statement.start, at).trim();
  if (look.seen.has(source)) look.commands.length = look.statement.commands;
  else look.seen.add(source);
  look.opened = false;
  look.statement = { number: look.statement.number + 1, start: end, commands: look.commands.length };
}

function join(left: string | null, right: string): string {
  return left === null ? right : left + right;
}

const PLAIN = 0;
const BLANK = 1;
const QUOTE = 2;
const ESCAPE = 3;
const END = 4;
const OPEN = 5;
const MAYBE = 6;

const AMPERSAND = 38;
const SINGLE = 39;
const PIPE = 124;

/** What a character below 128 begins. */
const KINDS: ReadonlyArray<number> = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character) && character !== '\n') return BLANK;
  if (character === "'" || character === '"') return QUOTE;
  if (character === '\\') return ESCAPE;
  if ('\n;|'.includes(character)) return END;
  if ('(){}`'.includes(character)) return OPEN;
  return '&$<>'.includes(character) ? MAYBE : PLAIN;
});

function isBlank(code: number): boolean {
  return code >= 160 && /\s/.test(String.fromCharCode(code));
}

function plainEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128 ? KINDS[code] !== PLAIN : isBlank(code)) break;
  }
  return at;
}

/** Up to the end of the quote; for a text in double quotes that contains a command, or does not end, only the quote itself. */
function quoteEnd(text: string, at: number, code: number): number {
  if (code === SINGLE) {
    const end = text.indexOf("'", at + 1);
    return end < 0 ? text.length : end + 1;
  }
  DOUBLE.lastIndex = at;
  return DOUBLE.test(text) ? DOUBLE.lastIndex : at + 1;
}

const DOUBLE = /"(?:[^"\\`$]|\\[^]|\$(?!\())*"/y;

/** `$` except in `$(`, `<` and `>`, and `&` right after one of those. */
function staysInWord(text: string, at: number, code: number): boolean {
  if (KINDS[code] !== MAYBE) return false;
  if (code === DOLLAR) return text.charCodeAt(at + 1) !== PARENTHESIS;
  if (code !== AMPERSAND) return true;
  const before = text.charCodeAt(at - 1);
  return before === LESS || before === GREATER;
}

/** `${HOME}` is one piece. */
function variableEnd(text: string, at: number): number {
  VARIABLE.lastIndex = at;
  return VARIABLE.test(text) ? VARIABLE.lastIndex : at + 1;
}

const VARIABLE = /\$\{\w{1,80}\}/y;

/** `||`, `|&` and `$(` are two characters. */
function separatorEnd(text: string, at: number, code: number): number {
  const next = text.charCodeAt(at + 1);
  return at + (code === DOLLAR || (code === PIPE && (next === PIPE || next === AMPERSAND)) ? 2 : 1);
}

const PARENTHESIS = 40;
const GREATER = 62;
const DOLLAR = 36;
const LESS = 60;
const BRACKET = 91;
const BRACE = 123;

/** What the grammar opens besides commands. */
function countOpeners(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= MOST.openers; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BRACKET || character === LESS || (character === DOLLAR && text.charCodeAt(at + 1) === BRACE))
      count += 1;
  }
  return count;
}
