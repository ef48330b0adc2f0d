import { createHash } from 'node:crypto';

/** The limit of all providers for a tool's name. */
const MAX_LENGTH = 64;
const DIGEST_LENGTH = 8;

/**
 * A server's name between `mcp__` and the next `__`: letters, digits, `-` and single `_`, so that rules can find its end. Different servers
 * never get the same one: it is added to `taken`.
 */
export function serverKey(name: string, taken: Set<string>): string {
  const plain = name
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return unique(plain === '' ? 'server' : plain, { taken, original: name, room: MAX_LENGTH / 2 });
}

/** `mcp__server__tool`, valid for every provider, and never the same for two tools. */
export function toolName(key: string, tool: string, taken: Set<string>): string {
  const plain = `mcp__${key}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;
  return unique(plain, { taken, original: tool, room: MAX_LENGTH });
}

type Place = { readonly taken: Set<string>; readonly original: string; readonly room: number };

/** A name that is too long or taken gets a digest of the original. */
function unique(plain: string, { taken, original, room }: Place): string {
  const digest = createHash('sha256').update(original).digest('hex').slice(0, DIGEST_LENGTH);
  const marked = `${plain.slice(0, room - DIGEST_LENGTH - 1).replace(/_+$/, '')}_${digest}`;
  const name = plain.length > room || taken.has(plain) ? marked : plain;
  taken.add(name);
  return name;
}
