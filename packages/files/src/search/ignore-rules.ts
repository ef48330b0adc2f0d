/*
 * Git's ignore patterns, one per line:
 *   line    := '#' comment | ['!'] ['/'] segment ('/' segment)* ['/']
 *   segment := '**' (any number of folders) | characters, '*', '?', '[' set ']', '\' character
 * A pattern with a '/' before its end is relative to its folder, any other matches at every depth; '/' at the end: folders only;
 * '!' takes back what an earlier line ignored. The last line that matches decides.
 * Matching backtracks to the last star only, so no pattern takes more than pattern × path steps.
 */

/** The rules of one ignore file; `folder` is its folder, relative to the root ('' for the root itself). */
export type IgnoreFile = { readonly folder: string; readonly rules: ReadonlyArray<IgnoreRule> };

export type IgnoreRule = {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  readonly segments: ReadonlyArray<Segment>;
};

export type PathKind = 'file' | 'folder';

export function parseIgnoreFile(folder: string, text: string): IgnoreFile {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  return { folder, rules: lines.flatMap((line) => parseRule(line.replace(/\r$/, ''))) };
}

/** Whether this path itself is ignored. `files` in order of depth. Whether a folder above it is ignored is a separate question. */
export function isIgnored(files: ReadonlyArray<IgnoreFile>, path: string, kind: PathKind): boolean {
  for (const { folder, rules } of files.toReversed()) {
    const below = folder === '' ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
    if (below === null) continue;
    const names = below.split('/');
    const rule = rules.findLast((one) => (kind === 'folder' || !one.foldersOnly) && matchesPath(one.segments, names));
    if (rule !== undefined) return !rule.negated;
  }
  return false;
}

/** `folders` for `**`; a name without wildcards is kept as it is. */
type Segment = 'folders' | { readonly name: string } | { readonly tokens: ReadonlyArray<Token> };
type Token = 'star' | { readonly matches: (character: string) => boolean };

function parseRule(line: string): ReadonlyArray<IgnoreRule> {
  if (line.startsWith('#')) return [];
  const trimmed = withoutTrailingSpaces(line);
  const negated = trimmed.startsWith('!');
  const pattern = negated ? trimmed.slice(1) : trimmed;
  const foldersOnly = pattern.endsWith('/');
  const path = foldersOnly ? pattern.slice(0, -1) : pattern;
  if (path === '') return [];
  const names = path.replace(/^\//, '').split('/');
  const anchored = path.includes('/');
  const segments = (anchored ? names : ['**', ...names]).map((name) => (name === '**' ? 'folders' : segmentOf(name)));
  // A trailing `**` matches everything below: at least one more name.
  const complete = names.at(-1) === '**' ? [...segments, { tokens: ['star' as const] }] : segments;
  return complete.some((segment) => segment === null)
    ? []
    : [{ negated, foldersOnly, segments: complete.flatMap(kept) }];
}

function kept(segment: Segment | null): ReadonlyArray<Segment> {
  return segment === null ? [] : [segment];
}

/** A space before the end of the line counts only after a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && !isEscaped(line, end - 1)) end--;
  return line.slice(0, end);
}

function isEscaped(line: string, index: number): boolean {
  let slashes = 0;
  while (line[index - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

function segmentOf(name: string): Segment | null {
  if (!/[*?[\\]/.test(name)) return { name };
  const tokens = tokensOf(name);
  return tokens === null ? null : { tokens };
}

/** Null for a segment that matches nothing in git: an unclosed set, a trailing backslash. */
function tokensOf(segment: string): ReadonlyArray<Token> | null {
  const tokens: Token[] = [];
  const characters = Array.from(segment);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star');
    } else if (character === '?') {
      tokens.push({ matches: () => true });
    } else if (character === '[') {
      const set = readSet(characters, at);
      if (set === null) return null;
      tokens.push({ matches: set.matches });
      at = set.end;
    } else {
      const literal = character === '\\' ? characters[++at] : character;
      if (literal === undefined) return null;
      tokens.push({ matches: (given) => given === literal });
    }
  }
  return tokens;
}

type CharacterSet = { readonly end: number; readonly matches: (character: string) => boolean };

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  digit: /^[0-9]$/,
  lower: /^[a-z]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  xdigit: /^[A-Fa-f0-9]$/,
};

/** `[abc]`, `[a-z]`, `[!x]`, `[^x]`, `[[:alpha:]]`; a `]` right after the opening is a member. */
function readSet(characters: ReadonlyArray<string>, open: number): CharacterSet | null {
  const members: Array<(character: string) => boolean> = [];
  let at = open + 1;
  const negated = characters[at] === '!' || characters[at] === '^';
  if (negated) at++;
  for (let first = true; first || characters[at] !== ']'; first = false) {
    const named = classAt(characters, at);
    if (named !== null) {
      members.push((character) => named.expression.test(character));
      at = named.next;
      continue;
    }
    const from = memberAt(characters, at);
    const to =
      characters[from.next] === '-' && characters[from.next + 1] !== ']' ? memberAt(characters, from.next + 1) : from;
    if (from.character === undefined || to.character === undefined) return null;
    const [low, high] = [from.character, to.character];
    members.push((character) => character >= low && character <= high);
    at = to.next;
  }
  return { end: at, matches: (character) => members.some((matches) => matches(character)) !== negated };
}

function classAt(characters: ReadonlyArray<string>, at: number): { expression: RegExp; next: number } | null {
  const name = /^\[:([a-z]+):\]/.exec(characters.slice(at, at + 12).join(''))?.[1];
  const expression = name === undefined || !Object.hasOwn(CLASSES, name) ? undefined : CLASSES[name];
  return name === undefined || expression === undefined ? null : { expression, next: at + name.length + 4 };
}

function memberAt(characters: ReadonlyArray<string>, at: number): { character: string | undefined; next: number } {
  return characters[at] === '\\'
    ? { character: characters[at + 1], next: at + 2 }
    : { character: characters[at], next: at + 1 };
}

function matchesPath(segments: ReadonlyArray<Segment>, names: ReadonlyArray<string>): boolean {
  const [first, second] = segments;
  // Most patterns are one name at any depth: they can only match the last name of a path.
  if (segments.length === 2 && first === 'folders' && second !== undefined)
    return PATH.matches(second, names.at(-1) ?? '');
  return matchesSequence(segments, names, PATH);
}

const PATH: Matching<Segment> = {
  isStar: (segment) => segment === 'folders',
  matches: (segment, name) => {
    if (segment === 'folders') return false;
    return 'name' in segment ? segment.name === name : matchesSequence(segment.tokens, Array.from(name), NAME);
  },
};

const NAME: Matching<Token> = {
  isStar: (token) => token === 'star',
  matches: (token, character) => token !== 'star' && token.matches(character),
};

type Matching<Pattern> = {
  readonly isStar: (pattern: Pattern) => boolean;
  readonly matches: (pattern: Pattern, item: string) => boolean;
};

/** Whether the whole sequence matches, a star matching any number of items. */
function matchesSequence<Pattern>(
  patterns: ReadonlyArray<Pattern>,
  items: ReadonlyArray<string>,
  { isStar, matches }: Matching<Pattern>,
): boolean {
  let pattern = 0;
  let item = 0;
  let retry: { readonly pattern: number; item: number } | null = null;
  while (item < items.length) {
    const wanted = patterns[pattern];
    const given = items[item] ?? '';
    if (wanted !== undefined && isStar(wanted)) {
      retry = { pattern: ++pattern, item };
    } else if (wanted !== undefined && matches(wanted, given)) {
      pattern++;
      item++;
    } else if (retry !== null) {
      pattern = retry.pattern;
      item = ++retry.item;
    } else {
      return false;
    }
  }
  return patterns.slice(pattern).every(isStar);
}
