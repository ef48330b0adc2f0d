/**
 * Names of files are bytes, not text. A `PathKey` holds one byte per character (latin1), relative to the store's root, with slashes: every
 * name has exactly one, and it goes to git and back quoted in ASCII, so no encoding can lose it.
 */
export type PathKey = string & { readonly __brand?: 'PathKey' };

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

/** Parses a name as git prints it: plain, or in quotes with C escapes if it contains anything unusual. */
export function unquotePath(text: string): PathKey {
  if (!text.startsWith('"')) return text;
  return text
    .slice(1, -1)
    .replaceAll(/\\([0-7]{3}|.)/g, (_whole, escape: string) =>
      escape.length === 3 ? String.fromCharCode(Number.parseInt(escape, 8)) : (ESCAPES[escape] ?? escape),
    );
}

export function quotePath(key: PathKey): string {
  const quoted = key.replaceAll(
    /[^\x20-\x7e]|["\\]/g,
    (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${quoted}"`;
}

/** For people and models: the name as text, or quoted if its bytes are not UTF-8. */
export function showPath(key: PathKey): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(key, 'latin1'));
  } catch {
    return quotePath(key);
  }
}

/** The name for the file system. */
export function absolutePath(root: string, key: PathKey): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(key, 'latin1')]);
}

export function parentOf(key: PathKey): PathKey {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')));
}

export function nameOf(key: PathKey): PathKey {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** Every folder above, nearest first, without the root. */
export function ancestorsOf(key: PathKey): PathKey[] {
  const found: PathKey[] = [];
  for (let folder = parentOf(key); folder !== ''; folder = parentOf(folder)) found.push(folder);
  return found;
}
