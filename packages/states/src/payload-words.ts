import { isRecord } from '@attractor/base';

const MOST_CHARACTERS = 4_000;

/** What an agent reported beside its outcome, for people: a line for each field, whatever a pipeline's own schema calls them. */
export function payloadWords(payload: unknown): string {
  const text = linesOf(payload, '').join('\n');
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}

function linesOf(value: unknown, indent: string): ReadonlyArray<string> {
  if (Array.isArray(value)) return value.flatMap((one) => named('-', one, indent));
  if (!isRecord(value)) return value === null || value === undefined ? [] : [`${indent}${textOf(value)}`];
  return Object.entries(value).flatMap(([name, one]) => named(`${name}:`, one, indent));
}

/** A value of one line stands beside its name, others below it. */
function named(name: string, value: unknown, indent: string): ReadonlyArray<string> {
  const [first, ...rest] = linesOf(value, `${indent}  `);
  if (first === undefined) return [];
  return rest.length === 0 ? [`${indent}${name} ${first.trimStart()}`] : [`${indent}${name}`, first, ...rest];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
