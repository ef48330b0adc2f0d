import { isRecord } from '@attractor/base';

const MAX_CHARS = 256 << 10;
const ANY_OBJECT = { type: 'object', properties: {} } as const;

/**
 * A server's schema as it is passed on and as arguments are validated against it: always an object, and without what would make a check
 * fail by itself (invalid patterns, dangling references). The server checks its input anyway.
 */
export function toolSchema(schema: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(schema) || JSON.stringify(schema).length > MAX_CHARS) return ANY_OBJECT;
  const sound = soundSchema(schema, schema);
  return isRecord(sound) ? { properties: {}, ...sound, type: 'object' } : ANY_OBJECT;
}

function soundSchema(value: unknown, root: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => soundSchema(item, root));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key, inner]) => isSound(key, inner, root));
  return Object.fromEntries(kept.map(([key, inner]) => [key, soundSchema(inner, root)]));
}

/** A property may have any of these names too; its value is then a schema, and stays. */
function isSound(key: string, value: unknown, root: unknown): boolean {
  if (key === 'pattern' && typeof value === 'string') return isPattern(value);
  if (key === 'patternProperties' && isRecord(value)) return Object.keys(value).every(isPattern);
  if (key === '$ref' && typeof value === 'string') return value === '#' || isThere(root, value);
  return key !== '__proto__' && !((key === '$id' || key === '$schema') && typeof value === 'string');
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function isThere(root: unknown, pointer: string): boolean {
  if (!pointer.startsWith('#/') || pointer.includes('%')) return false;
  const names = pointer.slice(2).split('/');
  let at: unknown = root;
  for (const name of names) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at !== undefined;
}
