/** A command as a quick look sees it: its words, and which pipeline it is in. */
export type Glance = { readonly text: string; readonly words: ReadonlyArray<string>; readonly pipeline: number };

export type Survey = {
  /** Whether the grammar can read it in time: its cost grows with what is open at once. */
  readonly readable: boolean;
  readonly glances: ReadonlyArray<Glance>;
};

/** Above these a text is only glanced at. A command that a person would read stays far below. */
const MOST = { separators: 240, openers: 120, words: 1_500, quotes: 1_200, glances: 4_000 } as const;

/**
 * One pass over the text with quotes and nothing else understood, linear in its length. Texts between quotes are words,
 * but `$(` and a backtick start a command even there. The same command is not reported twice.
 */
export function surveyText(text: string): Survey {
  const counts = { separators: 0, openers: 0, words: 0, quotes: 0, pipelines: 0 };
  const seen = new Set<string>();
  const glances: Glance[] = [];
  let words: string[] = [];
  let word: string | null = null;
  let start = 0;
  const endWord = (): void => {
    if (word !== null && words.length < MOST.words) words.push(word);
    word = null;
    counts.words += 1;
  };
  const endCommand = (at: number): void => {
    endWord();
    const source = text.slice(start, Math.min(at, start + 2_000)).trim();
    if (words.length > 0 && !seen.has(source) && glances.length < MOST.glances) {
      seen.add(source);
      glances.push({ text: source, words, pipeline: counts.pipelines });
    }
    words = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const token = tokenAt(text, at);
    if (token.kind === 'word') word = `${word ?? ''}${token.text}`;
    else if (token.kind === 'blank') {
      if (word !== null) endWord();
    } else {
      endCommand(at);
      start = at + token.length;
      if (token.kind === 'end') counts.pipelines += 1;
      counts.separators += 1;
    }
    if (token.kind === 'open') counts.openers += 1;
    if (token.quoted) counts.quotes += 1;
    at += token.length - 1;
  }
  endCommand(text.length);
  counts.openers += countOpeners(text);
  return {
    readable:
      counts.separators <= MOST.separators &&
      counts.openers <= MOST.openers &&
      counts.words <= MOST.words &&
      counts.quotes <= MOST.quotes,
    glances,
  };
}

type Token = {
  readonly kind: 'word' | 'blank' | 'end' | 'pipe' | 'open';
  readonly length: number;
  readonly text: string;
  readonly quoted: boolean;
};

const SINGLE = /'[^']*(?:'|$)/y;
const DOUBLE = /"(?:[^"\\`$]|\\[^]|\$(?!\())*"/y;
const PLAIN = /[^\s'"\\;&|(){}`$<>]+/y;

function tokenAt(text: string, at: number): Token {
  const character = text.charAt(at);
  const plain = matchAt(PLAIN, text, at);
  if (plain !== null) return token('word', plain, plain);
  if (character === "'") {
    const quoted = matchAt(SINGLE, text, at) ?? character;
    return { ...token('word', quoted, quoted.slice(1, -1)), quoted: true };
  }
  if (character === '"') {
    const quoted = matchAt(DOUBLE, text, at) ?? character;
    return { ...token('word', quoted, quoted.slice(1, -1)), quoted: true };
  }
  if (character === '\\') return token('word', text.slice(at, at + 2), text.charAt(at + 1));
  if (text.startsWith('$(', at)) return token('open', '$(', '');
  if (character === ';' || character === '\n') return token('end', character, '');
  if (character === '|')
    return token(text.startsWith('||', at) ? 'end' : 'pipe', text.startsWith('||', at) ? '||' : '|', '');
  if (character === '&')
    return /[<>]/.test(text.charAt(at - 1)) ? token('word', character, character) : token('end', character, '');
  if ('(){}`'.includes(character)) return token('open', character, '');
  return /\s/.test(character) ? token('blank', character, '') : token('word', character, character);
}

function token(kind: Token['kind'], source: string, text: string): Token {
  return { kind, length: Math.max(1, source.length), text, quoted: false };
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

const DOLLAR = 36;
const LESS = 60;
const BRACKET = 91;
const BRACE = 123;

/** What the grammar opens beside commands. */
function countOpeners(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= MOST.openers; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BRACKET || character === LESS || (character === DOLLAR && text.charCodeAt(at + 1) === BRACE))
      count += 1;
  }
  return count;
}
