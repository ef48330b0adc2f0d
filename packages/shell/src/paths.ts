import { posix } from 'node:path';
import type { Disk } from './disk.ts';
import { expandGlob, type Match } from './globs.ts';
import { isInside } from './inside-folder.ts';
import { kernelPath, walkLinks } from './kernel-path.ts';
import { isSecretName, secretGlob } from './secret-names.ts';
import type { ExpandedWord } from './words.ts';

/** Where paths of a command are looked up. `roots` are the folders of the workspace, `root` is the first; without a disk words decide. */
export type PathContext = {
  readonly root: string;
  readonly roots: ReadonlyArray<string>;
  readonly home: string;
  readonly disk: Disk | null;
  /** The caller asks git what it obeys in folders other than this one. */
  readonly asksGit: boolean;
};

/** The files that a word names. Of a glob with very many of them, the folder that they lie under. */
export type ReadablePath = { readonly paths: ReadonlyArray<string> } | Refused;

/** `guarded`: the one file that it is about; everything else about the word is in order. */
type Refused = { readonly refused: string; readonly guarded?: string };

/** The place of a path that is only read, or why it may not be read without asking. */
export function placeToRead(word: ExpandedWord, cwd: string, pathContext: PathContext): ReadablePath {
  return place(word, cwd, { pathContext, hides: (path) => path.split('/').some(isSecretName) });
}

/** The same for looking only at names and sizes: the contents may be secret. */
export function placeInside(word: ExpandedWord, cwd: string, pathContext: PathContext): ReadablePath {
  return place(word, cwd, { pathContext, hides: () => false });
}

/** `hides`: whether what lies there, below the workspace, may not be shown. */
type Placing = { readonly pathContext: PathContext; readonly hides: (below: string) => boolean };

function place(word: ExpandedWord, cwd: string, placing: Placing): ReadablePath {
  const { pathContext, hides } = placing;
  if (!word.known) return { refused: `${word.text} is only known when it runs` };
  if (word.text.includes('\0')) return { refused: 'a path holds a NUL' };
  const named = word.glob ? beforeGlob(word.text) : word.text;
  if (word.glob && /(?:^|\/)\.\.?(?:[^/]*[*?[])/.test(word.text))
    return { refused: `${word.text} can mean hidden files` };
  const path = kernelPath(named, cwd, pathContext.disk);
  if (path === null) return { refused: `where ${word.text} leads can't be told` };
  if (!word.glob && path === '/dev/null') return { paths: [path] };
  if (!word.glob && PUBLIC.has(word.text)) return { paths: [] };
  if (pathContext.root === '/' && (posix.isAbsolute(named) || /^\/(?:dev|etc|home|proc|root|sys|var)\b/.test(path))) {
    return { refused: `${word.text} is a path of the whole machine` };
  }
  const guarded = word.glob ? {} : { guarded: path };
  if (!isOwn(path, pathContext)) return { refused: `${word.text} is outside the workspace`, ...guarded };
  if (word.glob && /\/\.\.(?:\/|$)/.test(word.text.slice(named.length))) return { refused: `${word.text} climbs` };
  if (hides(belowRoot(path, pathContext)) || (word.glob && hides(word.text)))
    return { refused: `${word.text} usually holds secrets`, ...guarded };
  if (word.glob && hides('.env') && secretGlob(word.text))
    return { refused: `${word.text} can mean a file with secrets` };
  return pathContext.disk === null
    ? { paths: [path] }
    : placeOnDisk(word, { ...placing, disk: pathContext.disk, cwd, path });
}

type OnDisk = Placing & { readonly disk: Disk; readonly cwd: string; readonly path: string };

/** Each file that it names is looked up, and where that really is. */
function placeOnDisk(word: ExpandedWord, { pathContext, hides, disk, cwd, path }: OnDisk): ReadablePath {
  const asked = posix.isAbsolute(word.text) ? word.text : `${cwd}/${word.text}`;
  const found: ReadonlyArray<Match> | null = word.glob
    ? expandGlob(word.text, cwd, disk)
    : [{ text: word.text, path, real: walkLinks(asked, disk.realpath) }];
  if (found === null) return { refused: `${word.text} fits too many files` };
  const roots = [...pathContext.roots, ...pathContext.roots.flatMap((root) => disk.realpath(root) ?? [])];
  for (const { text, path: one, real } of found) {
    if (real === null) return { refused: `where ${text} leads can't be told` };
    const refused = !roots.some((root) => isInside(real, root))
      ? `${text} leads outside the workspace`
      : hides(belowRoot(one, pathContext)) || hides(belowRoot(real, { roots }))
        ? `${text} usually holds secrets`
        : null;
    // After `..` behind a link the words lead elsewhere than the kernel goes.
    if (refused !== null) return { refused, guarded: disk.realpath(one) === real ? one : real };
  }
  return { paths: found.length > MOST_NAMED ? [path] : found.map((one) => one.path) };
}

const MOST_NAMED = 200;

/** Facts about the machine that every program may read, and that hold nothing of a person. */
const PUBLIC: ReadonlySet<string> = new Set(
  '/etc/os-release /usr/lib/os-release /etc/lsb-release /etc/debian_version /etc/alpine-release /etc/redhat-release /etc/issue /etc/timezone /proc/cpuinfo /proc/meminfo /proc/version /proc/loadavg /proc/uptime /proc/stat /proc/filesystems'.split(
    ' ',
  ),
);

/** Whether a path lies in a folder of the workspace. */
export function isOwn(path: string, { roots }: Pick<PathContext, 'roots'>): boolean {
  return roots.some((root) => isInside(path, root));
}

/** The names of a path below the folder of the workspace that it lies in. */
export function belowRoot(path: string, { roots }: Pick<PathContext, 'roots'>): string {
  let from = 0;
  for (const root of roots) if (root.length > from && isInside(path, root)) from = root.length;
  return path.slice(from);
}

/** The folder that contains every expansion of a glob. */
function beforeGlob(text: string): string {
  const first = text.search(/[*?[]/);
  const slash = text.lastIndexOf('/', first);
  return slash < 0 ? '.' : text.slice(0, slash + 1);
}
