import { posix } from 'node:path';
import { isSecretName, secretGlob } from './secret-names.ts';
import type { ExpandedWord } from './words.ts';

/** Where paths of a command are resolved. `realpath` follows links if there is a disk; null: no such path. */
export type PathContext = {
  readonly root: string;
  readonly home: string;
  readonly realpath: ((path: string) => string | null) | null;
  /** Whoever judges asks git what it obeys in other folders than this one. */
  readonly asksGit: boolean;
};

export type ReadablePath = { readonly path: string } | { readonly refused: string };

/** The place of a path that is only read, or why it may not be read without asking. */
export function placeToRead(word: ExpandedWord, cwd: string, pathContext: PathContext): ReadablePath {
  const place = placeInside(word, cwd, pathContext);
  if ('refused' in place || place.path === '/dev/null') return place;
  const below = place.path.slice(pathContext.root.length);
  if (below.split('/').some(isSecretName)) return { refused: `${word.text} usually holds secrets` };
  if (word.glob && word.text.split('/').some(isSecretName)) return { refused: `${word.text} usually holds secrets` };
  if (word.glob && secretGlob(word.text)) return { refused: `${word.text} can mean a file with secrets` };
  return place;
}

/** The same for looking only at names and sizes: the contents may be secret. */
export function placeInside(word: ExpandedWord, cwd: string, pathContext: PathContext): ReadablePath {
  if (!word.known) return { refused: `${word.text} is only known when it runs` };
  if (word.text.includes('\0')) return { refused: 'a path holds a NUL' };
  const named = word.glob ? beforeGlob(word.text) : word.text;
  if (word.glob && /(?:^|\/)\.\.?(?:[^/]*[*?[])/.test(word.text))
    return { refused: `${word.text} can mean hidden files` };
  const path = posix.resolve(cwd, named);
  if (path === '/dev/null') return { path };
  if (pathContext.root === '/' && (posix.isAbsolute(named) || /^\/(?:dev|etc|home|proc|root|sys|var)\b/.test(path))) {
    return { refused: `${word.text} is a path of the whole machine` };
  }
  if (!isInside(path, pathContext.root)) return { refused: `${word.text} is outside the workspace` };
  if (word.glob && /\/\.\.(?:\/|$)/.test(word.text.slice(named.length))) return { refused: `${word.text} climbs` };
  const real =
    pathContext.realpath === null
      ? path
      : walkLinks(posix.isAbsolute(named) ? named : `${cwd}/${named}`, pathContext.realpath);
  const root = pathContext.realpath?.(pathContext.root) ?? pathContext.root;
  if (!isInside(real, root) && !isInside(real, pathContext.root))
    return { refused: `${word.text} leads outside the workspace` };
  return { path };
}

export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

/** The folder that contains every expansion of a glob. */
function beforeGlob(text: string): string {
  const first = text.search(/[*?[]/);
  const slash = text.lastIndexOf('/', first);
  return slash < 0 ? '.' : text.slice(0, slash + 1);
}

/** As the kernel resolves: `..` after a link leaves the link's target, not the link. */
function walkLinks(path: string, realpath: (path: string) => string | null): string {
  let at = '/';
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') at = posix.dirname(at);
    else {
      const next = posix.join(at, name);
      at = realpath(next) ?? next;
    }
  }
  return at;
}
