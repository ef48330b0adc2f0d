import type { Word, WordPart } from 'unbash';
import { expandBraces } from './braces.ts';

/**
 * What a word of the source expands to when the shell runs it, as far as that is known beforehand.
 * `text` is what the program gets; parts that are only known at run time stay as written.
 */
export type ExpandedWord = {
  readonly text: string;
  /** Nothing in it has to be looked up at run time. */
  readonly known: boolean;
  /** Unknown, but only a number or a plain setting of the shell: fit for printing, never for decisions. */
  readonly harmless: boolean;
  /** Contains an unquoted `*`, `?` or `[…]`: it may become several words. */
  readonly glob: boolean;
  /** Written without quotes, escapes or expansions. */
  readonly plain: boolean;
};

/** What the words of a script can refer to. */
export type Scope = {
  readonly home: string;
  readonly cwd: string | null;
  /** Variables that were set before, and those of `for` loops with their current value. */
  readonly bindings: ReadonlyMap<string, ExpandedWord>;
};

export function expandWord(word: Word, scope: Scope): ReadonlyArray<ExpandedWord> {
  const parts = word.parts;
  if (parts === undefined)
    return [
      opensArithmetic(word) || isLive(word.text)
        ? unknown(word.text)
        : withTilde(bare(word.value, word.text), word.text, scope),
    ];
  if (parts.some((part) => part.type === 'BraceExpansion')) return expandBracedWord(word, parts, scope);
  const expanded = parts.map((part) => expandPart(part, scope, 'unquoted')).reduce(join, EMPTY);
  const first = parts[0];
  return [first?.type === 'Literal' ? withTilde(expanded, word.text, scope) : expanded];
}

/** The parts of a text between quotes, or of a heredoc. */
export function expandParts(parts: ReadonlyArray<WordPart>, scope: Scope): ExpandedWord {
  return parts.map((part) => expandPart(part, scope, 'quoted')).reduce(join, EMPTY);
}

/** Literal text: fully known. */
export function literal(text: string): ExpandedWord {
  return { text, known: true, harmless: true, glob: false, plain: true };
}

/** A word of which only matters that it is unknown. */
export function unknown(text: string): ExpandedWord {
  return { text, known: false, harmless: false, glob: false, plain: false };
}

const EMPTY: ExpandedWord = literal('');
const MOST_BRACES = 64;

type Quoting = 'quoted' | 'unquoted';

function bare(value: string, text: string): ExpandedWord {
  return { text: value, known: true, harmless: true, glob: false, plain: value === text };
}

function join(left: ExpandedWord, right: ExpandedWord): ExpandedWord {
  return {
    text: left.text + right.text,
    known: left.known && right.known,
    harmless: left.harmless && right.harmless,
    glob: left.glob || right.glob,
    plain: left.plain && right.plain,
  };
}

function expandBracedWord(word: Word, parts: ReadonlyArray<WordPart>, scope: Scope): ReadonlyArray<ExpandedWord> {
  let all: ReadonlyArray<ExpandedWord> = [{ ...EMPTY, plain: false }];
  for (const part of parts) {
    const next = part.type === 'BraceExpansion' ? expandBraces(part.text) : [null];
    if (next === null || all.length * next.length > MOST_BRACES) return [unknown(word.text)];
    const pieces = next.map((text) => (text === null ? expandPart(part, scope, 'unquoted') : bare(text, '')));
    all = all.flatMap((before) => pieces.map((piece) => join(before, piece)));
  }
  return all.some(({ text }) => text.includes('~')) ? [unknown(word.text)] : all;
}

function expandPart(part: WordPart, scope: Scope, quoting: Quoting): ExpandedWord {
  switch (part.type) {
    case 'Literal':
      if (opensArithmetic(part) || (quoting === 'unquoted' && isLive(part.text))) return unknown(part.text);
      return quoting === 'quoted' ? literal(part.value) : bare(part.value, part.text);
    case 'SingleQuoted':
      return { ...literal(part.value), plain: false };
    case 'AnsiCQuoted':
      return TAME_ESCAPES.test(part.text) ? { ...literal(part.value), plain: false } : unknown(part.value);
    case 'DoubleQuoted':
      return { ...expandParts(part.parts, scope), plain: false };
    case 'LocaleString':
      return unknown(part.text);
    case 'Glob':
      return { ...literal(part.text), glob: true, known: isTameGlob(part), harmless: isTameGlob(part) };
    case 'SimpleExpansion':
      return variable(part.text.slice(1), part.text, { scope, quoting });
    case 'ParameterExpansion':
      if (part.prefix !== undefined || part.index !== undefined || part.operation !== undefined) {
        return { ...unknown(part.text), harmless: cutsOff(part, scope) };
      }
      return variable(part.parameter, part.text, { scope, quoting });
    case 'ArithmeticExpansion':
      return { ...unknown(part.text), harmless: CONSTANT_ARITHMETIC.test(part.text) };
    default:
      return unknown(part.text);
  }
}

/** `${f%.ts}` of a known text is another one, fit for printing. */
function cutsOff({ prefix, index, operation, parameter }: Expansion, { bindings }: Scope): boolean {
  if (prefix !== undefined || index !== undefined || operation?.type !== 'Remove') return false;
  return bindings.get(parameter)?.known === true && /^[\w.*/?-]+$/.test(operation.operand.text);
}

type Expansion = Extract<WordPart, { type: 'ParameterExpansion' }>;

/** Escapes on whose meaning all shells agree. */
const TAME_ESCAPES = /^\$'(?:[^\\']|\\[tn\\'])*'$/;

/** Numbers and operators only: names would be evaluated, and an index can run a command. */
const CONSTANT_ARITHMETIC = /^\$\(\(\s*\d+(?:\s*[+*/%-]\s*\d+)*\s*\)\)$/;

/** The old form of arithmetic, here without an end: shells differ on where that is. */
function opensArithmetic({ value, text }: { readonly value: string; readonly text: string }): boolean {
  return value === text && text.includes('$[');
}

/** `1<(x)` and `{fd}>(x)` start a command, though the grammar takes them for text: no plain word contains these unescaped. */
function isLive(text: string): boolean {
  return LIVE.test(text) && LIVE.test(text.replaceAll(/\\[^]/g, ''));
}

const LIVE = /[<>()|&;`]|\$[({[\w@*#?!-]/;

function isTameGlob(part: { readonly kind: string; readonly text: string }): boolean {
  return part.kind !== 'bracket' || /^\[[!^]?[\w.-]+\]$/.test(part.text);
}

const HARMLESS_VARIABLES: ReadonlySet<string> = new Set([
  '?',
  '#',
  'HOME',
  'HOSTNAME',
  'LANG',
  'LOGNAME',
  'OLDPWD',
  'PATH',
  'PWD',
  'RANDOM',
  'SECONDS',
  'SHELL',
  'TERM',
  'TMPDIR',
  'UID',
  'USER',
]);

function variable(
  name: string,
  source: string,
  { scope, quoting }: { readonly scope: Scope; readonly quoting: Quoting },
): ExpandedWord {
  const bound = scope.bindings.get(name);
  if (bound !== undefined)
    return quoting === 'quoted' || isOneWord(bound) ? { ...bound, plain: false } : unknown(source);
  const told = name === 'HOME' ? scope.home : name === 'PWD' ? scope.cwd : null;
  if (told !== null && (quoting === 'quoted' || !/[\s*?[]/.test(told))) return { ...literal(told), plain: false };
  return { ...unknown(source), harmless: HARMLESS_VARIABLES.has(name) };
}

/** Without quotes a value is split at blanks and its globs are expanded; one that came from a glob may contain either. */
function isOneWord(value: ExpandedWord): boolean {
  return value.known && !value.glob && /^[^\s*?[\]\\]+$/.test(value.text);
}

/** `~` and `~/x` are the home folder; every other tilde that the shell would expand is unknown. */
function withTilde(expanded: ExpandedWord, source: string, scope: Scope): ExpandedWord {
  if (!source.startsWith('=') && !source.includes('~')) return expanded;
  if (/^~(?:\/|$)/.test(source)) return { ...expanded, text: scope.home + expanded.text.slice(1), plain: false };
  // Another shell would look for a program of this name.
  if (/^=+[^=]/.test(source)) return { ...expanded, known: false, harmless: false, plain: false };
  if (/^~|[=:]~/.test(source)) return { ...expanded, known: false, harmless: false, plain: false };
  return expanded;
}
