import type { Word, WordPart } from 'unbash';
import { expandBraces } from './braces.ts';
import { outputOf, type Shape } from './outputs.ts';

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
  /** Not known, and looking it up runs nothing but commands that are parts of their own. */
  readonly inert?: boolean;
  /** Not known, and may become several words or none. */
  readonly many?: boolean;
  /** What it can be, where it is not known. Absent: anything, a variable of the person's as well. */
  readonly shape?: Shape | undefined;
  /** It is the path of a file that another program finds. */
  readonly found?: FoundFiles;
};

/**
 * Files that a program finds below some folders. `names`: globs that all of them fit; `onlyFiles`: no links; `splits`: characters at
 * which a name becomes several words; `dashed`: a name may stand at the beginning of a word; `byGit`: git lists them, and these are the words
 * after `ls-files` of lists that hold them all.
 */
export type FoundFiles = {
  readonly folders: ReadonlyArray<string>;
  readonly names: ReadonlyArray<string>;
  readonly onlyFiles: boolean;
  readonly splits: RegExp | null;
  readonly dashed: boolean;
  readonly byGit?: ReadonlyArray<ReadonlyArray<string>>;
};

/** Names of files that come through a pipe. `isNull`: each ends with a NUL. */
export type PipedNames = Omit<FoundFiles, 'splits'> & { readonly isNull: boolean };

/** What the words of a script can refer to. */
export type Scope = {
  readonly home: string;
  readonly cwd: string | null;
  /** Variables that were set before, and those of `for` loops with their current value. */
  readonly bindings: ReadonlyMap<string, ExpandedWord>;
};

export function expandWord(word: Word, scope: Scope): ReadonlyArray<ExpandedWord> {
  const parts = word.parts;
  if (parts === undefined && SIMPLE.test(word.text)) return [bare(word.value, word.text)];
  if (parts === undefined)
    return [
      opensArithmetic(word) || isLive(word.text)
        ? unknown(word.text)
        : withTilde(bare(word.value, word.text), word.text, scope),
    ];
  if (parts.some((part) => part.type === 'BraceExpansion')) return expandBracedWord(word, parts, scope);
  const expanded = expandAll(parts, scope, 'unquoted');
  const first = parts[0];
  return [first?.type === 'Literal' ? withTilde(expanded, word.text, scope) : expanded];
}

/** The parts of a text between quotes, or of a heredoc. */
export function expandParts(parts: ReadonlyArray<WordPart>, scope: Scope): ExpandedWord {
  return expandAll(parts, scope, 'quoted');
}

function expandAll(parts: ReadonlyArray<WordPart>, scope: Scope, quoting: Quoting): ExpandedWord {
  let all = EMPTY;
  for (const part of parts) {
    const piece = expandPart(part, scope, quoting);
    all = all === EMPTY ? piece : join(all, piece);
  }
  return all.known || all.inert !== undefined ? all : join(EMPTY, all);
}

/** Literal text: fully known. Words are written out field by field, in one order: so many are read that their layout counts. */
export function literal(text: string): ExpandedWord {
  return { text, known: true, harmless: true, glob: false, plain: true };
}

function quoted(text: string): ExpandedWord {
  return { text, known: true, harmless: true, glob: false, plain: false };
}

/** A word of which only matters that it is unknown. */
export function unknown(text: string): ExpandedWord {
  return { text, known: false, harmless: false, glob: false, plain: false };
}

/** The value of a variable that the script itself filled with a text. */
export function ownText(name: string): ExpandedWord {
  return undecided(`$${name}`, { harmless: false, many: false, shape: 'text' });
}

/** Only running tells what it is, and looking it up runs nothing else. */
function undecided(text: string, { harmless, many, shape }: Undecided): ExpandedWord {
  return { text, known: false, harmless, glob: false, plain: false, inert: true, many, shape };
}

type Undecided = { readonly harmless: boolean; readonly many: boolean; readonly shape: Shape | undefined };

/** Most words: nothing in them means anything to a shell. */
const SIMPLE = /^[\w./,@%+:-][\w./,@%+:=-]*$/;

const EMPTY: ExpandedWord = literal('');
const MOST_BRACES = 64;

type Quoting = 'quoted' | 'unquoted';

function bare(value: string, text: string): ExpandedWord {
  return { text: value, known: true, harmless: true, glob: false, plain: value === text };
}

function join(left: ExpandedWord, right: ExpandedWord): ExpandedWord {
  const text = left.text + right.text;
  const harmless = left.harmless && right.harmless;
  const glob = left.glob || right.glob;
  const plain = left.plain && right.plain;
  if (left.known && right.known) return { text, known: true, harmless, glob, plain };
  const inert = isInert(left) && isInert(right);
  const many = left.many === true || right.many === true;
  return { text, known: false, harmless, glob, plain, inert, many, shape: joinShapes(left, right) };
}

function isInert({ known, harmless, inert }: ExpandedWord): boolean {
  return known || harmless || inert === true;
}

function joinShapes(left: ExpandedWord, right: ExpandedWord): Shape | undefined {
  if (left.text === '' && left.known) return right.shape;
  if (right.text === '' && right.known) return left.shape;
  const shapes = new Set([left, right].map((word) => (word.known && !word.glob ? shapeOf(word.text) : word.shape)));
  if (shapes.has(undefined) || shapes.has('pipe')) return undefined;
  return SHAPES.find((shape) => shapes.has(shape));
}

/** From what can be most to what can be least. */
const SHAPES = ['text', 'tame', 'hash'] as const;

/** What goes on with a hash names a commit, as `..HEAD` and `~2` do. */
function shapeOf(text: string): Shape {
  if (/^[\w.~^@{}][\w.~^@{}/-]*$/.test(text)) return 'hash';
  return /^[\w.,:/+%=@-]*$/.test(text) ? 'tame' : 'text';
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
      return quoted(part.value);
    case 'AnsiCQuoted':
      return TAME_ESCAPES.test(part.text) ? quoted(part.value) : unknown(part.value);
    case 'DoubleQuoted':
      return unplain(expandParts(part.parts, scope));
    case 'LocaleString':
      return unknown(part.text);
    case 'Glob':
      return globbed(part.text, isTameGlob(part));
    case 'SimpleExpansion':
      return variable(part.text.slice(1), part.text, { scope, quoting });
    case 'ParameterExpansion':
      if (part.prefix !== undefined || part.index !== undefined || part.operation !== undefined) {
        return { ...unknown(part.text), harmless: cutsOff(part, scope), ...cutText(part, scope, quoting) };
      }
      return variable(part.parameter, part.text, { scope, quoting });
    case 'ArithmeticExpansion':
      return { ...unknown(part.text), harmless: CONSTANT_ARITHMETIC.test(part.text) };
    case 'CommandExpansion':
      return part.script === undefined
        ? unknown(part.text)
        : undecided(part.text, { harmless: false, many: quoting === 'unquoted', shape: outputOf(part.script) });
    case 'ProcessSubstitution':
      return part.script === undefined || part.operator === '>'
        ? unknown(part.text)
        : undecided(part.text, { harmless: false, many: false, shape: 'pipe' });
    default:
      return unknown(part.text);
  }
}

function globbed(text: string, isTame: boolean): ExpandedWord {
  return { text, known: isTame, harmless: isTame, glob: true, plain: true };
}

function unplain(word: ExpandedWord): ExpandedWord {
  return word.known && !word.glob ? quoted(word.text) : { ...word, plain: false };
}

/** `${f%.ts}` of a known text, or of a plain setting of the shell, is another one, fit for printing. */
function cutsOff({ prefix, index, operation, parameter }: Expansion, { bindings }: Scope): boolean {
  if (prefix !== undefined || index !== undefined || !takesPart(operation)) return false;
  const bound = bindings.get(parameter);
  return bound === undefined ? HARMLESS_VARIABLES.has(parameter) && /^[A-Z]+$/.test(parameter) : bound.known;
}

/** Whether what is left is a piece of what was there, at whose end a pattern was taken off. */
function takesPart(operation: Expansion['operation']): boolean {
  return operation?.type === 'Remove' && /^[\w.*/?-]+$/.test(operation.operand.text);
}

/** The same of a text that is not known; a default that is written out changes nothing either. */
function cutText({ prefix, index, operation, parameter }: Expansion, { bindings }: Scope, quoting: Quoting) {
  if (prefix !== undefined || index !== undefined || operation === undefined) return {};
  if (operation.type === 'Default')
    return operation.operator.endsWith('-') && operation.operand.parts === undefined
      ? { inert: true, many: quoting === 'unquoted' }
      : {};
  if (!takesPart(operation)) return {};
  const { shape } = bindings.get(parameter) ?? {};
  return shape === undefined || shape === 'pipe' ? {} : { inert: true, many: quoting === 'unquoted', shape };
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
  if (bound !== undefined && !bound.known)
    return { ...bound, text: source, plain: false, many: quoting === 'unquoted' };
  if (bound !== undefined)
    return quoting === 'quoted' || isOneWord(bound)
      ? { ...bound, plain: false }
      : undecided(source, { harmless: false, many: true, shape: undefined });
  const told = name === 'HOME' ? scope.home : name === 'PWD' ? scope.cwd : null;
  if (told !== null && (quoting === 'quoted' || !/[\s*?[]/.test(told))) return quoted(told);
  const many = quoting === 'unquoted';
  return undecided(source, { harmless: HARMLESS_VARIABLES.has(name), many, shape: undefined });
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
