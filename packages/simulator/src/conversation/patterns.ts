import type { Pattern } from '../script/types.ts';

/** A plain string means "contains". All given conditions must hold. */
export function matches(pattern: Pattern | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  if (typeof pattern === 'string') return text.includes(pattern);
  if (pattern.contains !== undefined && !text.includes(pattern.contains)) return false;
  if (pattern.equals !== undefined && text !== pattern.equals) return false;
  if (pattern.not !== undefined && text.includes(pattern.not)) return false;
  return pattern.regex === undefined || new RegExp(pattern.regex, 'su').test(text);
}

export function describePattern(pattern: Pattern): string {
  if (typeof pattern === 'string') return `to contain ${JSON.stringify(pattern)}`;
  const words: string[] = [];
  if (pattern.contains !== undefined) words.push(`to contain ${JSON.stringify(pattern.contains)}`);
  if (pattern.equals !== undefined) words.push(`to equal ${JSON.stringify(pattern.equals)}`);
  if (pattern.not !== undefined) words.push(`not to contain ${JSON.stringify(pattern.not)}`);
  if (pattern.regex !== undefined) words.push(`to match /${pattern.regex}/`);
  return words.join(' and ');
}
