import { posix } from 'node:path';
import { isInside } from '../inside-folder.ts';
import { kernelPath } from '../kernel-path.ts';
import { isOwn, type PathContext } from '../paths.ts';
import type { ExpandedWord } from '../words.ts';

/** Folders whose loss or change breaks the machine or the person's home. */
const SYSTEM = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/proc',
  '/root',
  '/sbin',
  '/sys',
  '/usr',
  '/var',
  '/System',
  '/Library',
  '/private/etc',
  '/private/var',
];

/** Streams that happen to be in /dev. */
const STREAMS = /^\/dev\/(?:null|zero|full|random|urandom|std(?:in|out|err)|fd\/\d+|shm\/.*)$/;

/** Whether losing this means losing the machine, the home folder, or all of the workspace. */
export function isGrave(word: ExpandedWord, cwds: ReadonlyArray<string>, pathContext: PathContext): boolean {
  if (/^(?:~|\$\{?HOME\b)|^(?:\$\(pwd\)|`pwd`)\/?\*?$/.test(word.text)) return true;
  const { folder, everything } = split(word);
  const places = cwds.map((cwd) => placeOf(folder, cwd, pathContext));
  if (!everything) return places.some((place) => isSystem(place, pathContext));
  return places.some((place) => isGraveFolder(place, pathContext));
}

/** The repository of the workspace: without it earlier work is gone. */
export function isGitFolder(word: ExpandedWord, cwds: ReadonlyArray<string>, pathContext: PathContext): boolean {
  return cwds.some((cwd) => isInside(placeOf(word.text, cwd, pathContext), `${pathContext.root}/.git`));
}

function placeOf(text: string, cwd: string, { disk }: PathContext): string {
  return kernelPath(text, cwd, disk) ?? posix.resolve(cwd, text);
}

/** Whether changing this file or folder changes the running system. */
export function isSystem(path: string, pathContext: PathContext): boolean {
  if (isOwn(path, pathContext) || isInside(path, '/var/tmp') || STREAMS.test(path)) return false;
  if (isInside(path, pathContext.home) && path !== pathContext.home) return false;
  return path === '/' || SYSTEM.some((folder) => isInside(path, folder));
}

export function isDevice(path: string): boolean {
  return path.startsWith('/dev/') && !STREAMS.test(path) && !/^\/dev\/(?:tcp|udp)\//.test(path);
}

/** `*`, `./*` and `x/.*` mean all of a folder; other globs some of it. */
function split(word: ExpandedWord): { readonly folder: string; readonly everything: boolean } {
  const first = word.glob ? word.text.search(/[*?[{]/) : -1;
  if (first < 0) return { folder: word.text.replace(/\/(?:\.?\{[^/]*|\.)$/, '') || '/', everything: true };
  const slash = word.text.lastIndexOf('/', first);
  const folder = slash < 0 ? '.' : word.text.slice(0, slash + 1);
  return {
    folder,
    everything:
      /^\.?(?:\*+|\?\*|\[[^\]]*\]\*?|\?\?\*)/.test(word.text.slice(slash + 1)) && /[*\]?]\/?$/.test(word.text),
  };
}

function isGraveFolder(path: string, pathContext: PathContext): boolean {
  if (pathContext.roots.some((root) => isInside(root, path))) return true;
  if (isOwn(path, pathContext)) return false;
  if (isInside(pathContext.home, path)) return true;
  if (isInside(path, pathContext.home)) return posix.dirname(path) === pathContext.home;
  return /^\/(?:(?:home|Users)\/)?[^/]*$/.test(path) || isSystem(path, pathContext);
}
