import { isRecord } from '@attractor/base';
import { expandVariables, type VariableStyle } from './expand-variables.ts';

/** Reads the fields of one server's entry, remembers which were read, and collects what is wrong with them. */
export type Fields = {
  readonly has: (key: string) => boolean;
  readonly text: (key: string) => string | undefined;
  readonly texts: (key: string) => ReadonlyArray<string> | undefined;
  readonly textMap: (key: string) => Readonly<Record<string, string>> | undefined;
  readonly number: (key: string) => number | undefined;
  readonly flag: (key: string) => boolean | undefined;
  /** A nested object; its unread keys count as `key.inner`. */
  readonly inner: (key: string) => Fields | undefined;
  /** As it is written, of whatever type. */
  readonly written: (key: string) => unknown;
  /** Part of a key that was read and has no effect. */
  readonly leave: (key: string) => void;
  /** From the given variables, not from the file. */
  readonly variable: (name: string) => string | undefined;
  readonly problem: (message: string) => void;
  readonly problems: () => ReadonlyArray<string>;
  readonly unread: () => ReadonlyArray<string>;
};

export type FieldSource = {
  readonly value: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly style: VariableStyle;
};

export function readFields({ value, variables, style }: FieldSource): Fields {
  const read = new Set<string>();
  const problems: string[] = [];
  const left: string[] = [];
  const inners: Array<readonly [string, Fields]> = [];
  const at = (key: string): unknown => {
    read.add(key);
    return Object.hasOwn(value, key) ? value[key] : undefined;
  };
  const expand = (key: string, text: string): string => {
    const { text: expanded, missing } = expandVariables(text, variables, style);
    for (const name of missing) problems.push(`${key} needs the variable ${name}, which is not set`);
    return expanded;
  };
  /** `take` returns nothing for a value of the wrong type. */
  const kind = <Value>(key: string, what: string, take: (value: unknown) => Value | undefined): Value | undefined => {
    const found = at(key);
    if (found === undefined) return undefined;
    const taken = take(found);
    if (taken === undefined) problems.push(`${key}: expected ${what}`);
    return taken;
  };
  return {
    has: (key) => Object.hasOwn(value, key),
    text: (key) => kind(key, 'a text', (found) => (typeof found === 'string' ? expand(key, found) : undefined)),
    texts: (key) =>
      kind(key, 'a list of texts', (found) => (isTexts(found) ? found.map((text) => expand(key, text)) : undefined)),
    textMap: (key) =>
      kind(key, 'an object of texts', (found) =>
        isRecord(found)
          ? Object.fromEntries(Object.entries(found).map(([name, text]) => [name, expand(key, String(text))]))
          : undefined,
      ),
    number: (key) =>
      kind(key, 'a number above 0', (found) => (typeof found === 'number' && found > 0 ? found : undefined)),
    flag: (key) => kind(key, 'true or false', (found) => (typeof found === 'boolean' ? found : undefined)),
    inner: (key) => {
      // `false` disables it where it could be an object.
      const found = kind(key, 'an object', (given) => (isRecord(given) ? given : given === false ? {} : undefined));
      if (found === undefined || Object.keys(found).length === 0) return undefined;
      const fields = readFields({ value: found, variables, style });
      inners.push([key, fields]);
      return fields;
    },
    written: at,
    leave: (key) => void left.push(key),
    variable: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    problem: (message) => void problems.push(message),
    problems: () => [
      ...problems,
      ...inners.flatMap(([key, inner]) => inner.problems().map((line) => `${key}.${line}`)),
    ],
    unread: () => [
      ...left,
      ...Object.keys(value).filter((key) => !read.has(key)),
      ...inners.flatMap(([key, inner]) => inner.unread().map((name) => `${key}.${name}`)),
    ],
  };
}

function isTexts(value: unknown): value is ReadonlyArray<string> {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
