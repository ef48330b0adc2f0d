import { posix } from 'node:path';

/** Resolves a word's quotes; expansions stay as written, since other rules check those. A quoted tilde is an ordinary name. */
export function unquote(word: string): string {
  let text = '';
  for (let at = 0; at < word.length;) {
    const quoted = SHELL_QUOTES.exec(word.slice(at));
    const [all = word.charAt(at), ansi, single, double, escaped] = quoted ?? [];
    text +=
      ansi?.replaceAll(/\\(.)/g, (_, name: string) => ANSI[name] ?? name) ??
      single ??
      double?.replaceAll(/\\([$`"\\])/g, '$1') ??
      (escaped === '\n' ? '' : escaped) ??
      all;
    at += all.length;
  }
  return text.startsWith('~') && !word.startsWith('~') ? `./${text}` : text;
}

/** Whether a command stands in a word, whose output becomes a part of it: not in single quotes, and not behind a backslash. */
export function holdsCommand(word: string): boolean {
  return /\$\(|`/.test(word.replaceAll(QUOTED, (_, double?: string) => double?.replaceAll(/\\[^]/g, '') ?? ''));
}

/** What is quoted, with the text between double quotes, in which commands still stand. */
const QUOTED = /\$'(?:[^'\\]|\\[^])*'|'[^']*'|"((?:[^"\\]|\\[^])*)"|\\[^]/g;

const ANSI: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
const SHELL_QUOTES = /^(?:\$'((?:[^'\\]|\\[nt\\'])*)'|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^]))/;

/** `a{b,c}d` is two words. Nested braces and ranges stay as they are. */
export function expandBraces(word: string): ReadonlyArray<string> {
  const found = /^([^'"\\{}$]*)\{([^'"\\{}]*,[^'"\\{}]*)\}([^'"\\{}]*)$/.exec(word);
  if (found === null) return [word];
  const [, before = '', list = '', after = ''] = found;
  return list.split(',').map((piece) => before + piece + after);
}

/** Where a command runs: `moves` if it may leave the folder, so that `..` need not lead out. */
export type Place = { readonly root: string; readonly home: string; readonly moves: boolean };

export function isOutside(word: string, { root, home, moves }: Place): boolean {
  const path = posix.normalize(word.replace(/^~(?=\/|$)/, home));
  if (
    path === '/dev/null' ||
    /^\/(?:proc\/(?:cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems)|etc\/[\w-]+-release|etc\/issue)$/.test(
      path,
    )
  )
    return false;
  if (path.startsWith('/')) return path !== root && !path.startsWith(`${root}/`);
  return word.startsWith('~') || (!moves && /^\.\.(?:\/|$)/.test(path));
}

export function isSecret(word: string): boolean {
  return /(?:^|\/)\.env$|(?:^|\/)\.git(?:\/|$)|(?:^|\/)id_rsa|\.pem$/.test(word);
}
