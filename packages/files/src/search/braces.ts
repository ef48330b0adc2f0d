/** Expands `{a,b}`, nested ones too: `*.{ts,md}` gives `*.ts` and `*.md`. At most `MAX_PATTERNS`. */
export function expandBraces(pattern: string): ReadonlyArray<string> {
  const open = pattern.indexOf('{');
  const close = open < 0 ? -1 : closingOf(pattern, open);
  if (close < 0) return [pattern];
  const before = pattern.slice(0, open);
  const after = pattern.slice(close + 1);
  const found: string[] = [];
  for (const one of alternatives(pattern.slice(open + 1, close))) {
    if (found.length < MAX_PATTERNS) found.push(...expandBraces(before + one + after));
  }
  return found.slice(0, MAX_PATTERNS);
}

const MAX_PATTERNS = 256;

function closingOf(pattern: string, open: number): number {
  let depth = 0;
  for (let at = open; at < pattern.length; at++) {
    if (pattern[at] === '{') depth++;
    if (pattern[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

function alternatives(inner: string): ReadonlyArray<string> {
  const found = [''];
  let depth = 0;
  for (const character of inner) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (character === ',' && depth === 0) found.push('');
    else found[found.length - 1] += character;
  }
  return found;
}
