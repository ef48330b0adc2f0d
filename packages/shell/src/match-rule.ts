import type { ShellPart } from './reading.ts';
import { isHarmlessName } from './assignments.ts';
import { escapesRule, hasEscapes } from './escaping-options.ts';

/**
 * The content of a `Bash(…)` rule. `*` matches any text; a trailing ` *` or `:*` also matches none, after a whole word:
 * `git *` matches `git` and `git log`, never `gitk`. Without a star the whole text must be equal.
 */
export function matchShellPattern(pattern: string, text: string): boolean {
  const { stem, open } = readPattern(pattern);
  if (!open) return matchStars(stem, text);
  return matchStars(stem, text) || matchStars(`${stem} *`, text);
}

/** Stands for a word that is only known when it runs: only a star matches it. */
export const PLACEHOLDER = '\u0001';

/** Programs with options that no rule for their beginning covers: there such a word must be the value of an option, or a path. */
function mayEscapeRule([name = '', ...words]: ReadonlyArray<string>): boolean {
  if (!hasEscapes(name)) return false;
  const end = words.indexOf('--');
  return words.some(
    (word, at) => word === PLACEHOLDER && !(end >= 0 && at > end) && !TAKES_TEXT.test(words[at - 1] ?? ''),
  );
}

/** A message or a text, whatever it begins with. */
const TAKES_TEXT = /^(?:-[a-z]*m|--message|--title|--body|--author|--date)$/;

/**
 * Whether a rule allows this part. Only what is known beforehand is matched, after removing wrappers that change nothing and harmless
 * assignments. A part that another part runs is covered by that one. Options that make a reader write or run something are only covered by
 * a rule that names them.
 */
export function allowsPart(pattern: string, part: ShellPart): boolean {
  if (part.via !== undefined) return true;
  const words = part.argv ?? part.template;
  if (words === undefined || words.length === 0 || !part.assigns.every(isHarmlessName)) return false;
  if (part.argv === null && mayEscapeRule(words)) return false;
  const texts = part.argv === null ? [words.join(' ')] : [words.join(' '), part.text];
  return texts.some((text) => matchShellPattern(pattern, text)) && !escapesRule(pattern, words);
}

/** Whether a deny or ask rule applies to this part: after any assignment and wrapper, by its path or its plain name. */
export function restrictsPart(pattern: string, part: ShellPart): boolean {
  const words = part.argv ?? part.words ?? [];
  const [name = '', ...rest] = words;
  const base = name.slice(name.lastIndexOf('/') + 1);
  return [words.join(' '), [base, ...rest].join(' '), part.text].some(
    (text) => text !== '' && matchShellPattern(pattern, text),
  );
}

/** The smallest rule that allows a part: its exact words. Null if no rule can, since something is only known at run time. */
export function suggestRule(part: ShellPart): string | null {
  if (part.effect === 'destructive' || part.via !== undefined || part.argv === null || part.argv.length === 0)
    return null;
  const content = part.argv.join(' ');
  return /[()\n]/.test(content) || !allowsPart(content, part) ? null : `Bash(${content})`;
}

function readPattern(pattern: string): { readonly stem: string; readonly open: boolean } {
  const trimmed = pattern.trim();
  const stem = /^(.*?)(?: |:)\*$/s.exec(trimmed)?.[1];
  return stem === undefined ? { stem: trimmed, open: false } : { stem, open: true };
}

/** Stars match greedily from the left, and only the last one backtracks: linear in text times stars. */
function matchStars(pattern: string, text: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let mark = 0;
  while (at < text.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern;
      mark = at;
      inPattern += 1;
    } else if (pattern[inPattern] === text[at]) {
      inPattern += 1;
      at += 1;
    } else if (star >= 0) {
      inPattern = star + 1;
      mark += 1;
      at = mark;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern += 1;
  return inPattern === pattern.length;
}
