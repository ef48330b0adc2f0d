import { isRecord, messageOf } from '@attractor/base';
import type { ToolCallPart } from './types/content.ts';

export type ParsedArgs = Pick<ToolCallPart, 'args' | 'rawArgs' | 'argsError'>;

const MAX_ARGS_LENGTH = 8 * 1024 * 1024;

/**
 * A model's arguments. Anything but one JSON object with unique, harmless keys is an `argsError` for the model; nothing is repaired by
 * guessing. No text at all means no arguments.
 */
export function parseToolArgs(text: string): ParsedArgs {
  if (text.trim() === '') return { args: {} };
  const refuse = (argsError: string): ParsedArgs => ({ args: {}, rawArgs: text.toWellFormed(), argsError });
  if (text.length > MAX_ARGS_LENGTH) {
    return {
      args: {},
      rawArgs: text.slice(0, 1024).toWellFormed(),
      argsError: `The arguments are ${text.length} characters long; the limit is ${MAX_ARGS_LENGTH}.`,
    };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`The arguments are not valid JSON (${firstWords(error)}). Send one complete JSON object.`);
  }
  if (!isRecord(value)) return refuse(`The arguments must be one JSON object, not ${describe(value)}.`);
  const badKey = findBadKey(text);
  return badKey === undefined ? { args: value } : refuse(badKey);
}

function describe(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/**
 * Scans valid JSON text: `JSON.parse` silently keeps the last of two equal keys and makes `__proto__` an own key that a later merge would
 * follow. Only strings, braces and colons matter for finding keys.
 */
function findBadKey(text: string): string | undefined {
  const keysOf: Array<Set<string> | undefined> = [];
  let lastString: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = closingQuote(text, at);
      lastString = text.slice(at, end + 1);
      at = end;
    } else if (char === '{') keysOf.push(new Set());
    else if (char === '[') keysOf.push(undefined);
    else if (char === '}' || char === ']') keysOf.pop();
    else if (char === ':' && lastString !== undefined) {
      const key = String(JSON.parse(lastString));
      if (key === '__proto__') return 'The arguments hold the key "__proto__", which is not allowed.';
      const keys = keysOf.at(-1);
      if (keys?.has(key)) return `The arguments hold the key ${lastString} twice. Send each key once.`;
      keys?.add(key);
    }
  }
  return undefined;
}

function closingQuote(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function firstWords(error: unknown): string {
  return messageOf(error).slice(0, 200).toWellFormed();
}
