import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { posix } from 'node:path';
import type { Disk } from './disk.ts';
import { isInside } from './inside-folder.ts';

/**
 * Why a program that only stands before others may run one of the workspace: a file of the project that it obeys lies in a folder that it
 * looks through, from where it is started upwards. What lies in the home folder itself is the person's own choice.
 */
export function whyShimmed(file: string, cwd: string, { disk, home }: Around): string | null {
  if (!isShim(file)) return null;
  for (const folder of foldersUp(cwd, home)) {
    const names = (disk.list(folder) ?? []).map(({ name }) => name);
    const found = names.find((name) => CHOOSERS.test(name));
    if (found !== undefined) return `${posix.join(folder, found)} may choose which program ${file} runs`;
  }
  return null;
}

type Around = { readonly disk: Disk; readonly home: string };

/** Files by which managers of versions choose what runs; some of them may name a folder of the project. */
const CHOOSERS =
  /^(?:\.tool-versions|\.[a-z]+-version|\.(?:nvm|sdkman|hermit)rc|\.prototools|\.?(?:mise|rtx)(?:[.-][\w.-]+)?|\.config|\.?aqua[\w.-]*|\.?pkgx\.ya?ml|rust-toolchain(?:\.toml)?)$/;

/** Programs under other names that run what is asked for by name. */
const MANAGERS =
  /^(?:mise|rtx|asdf|volta(?:-shim)?|proto(?:-shim)?|rustup(?:-init)?|aqua(?:-proxy)?|hermit|pkgx|fnm|nodenv)$/;
const SYSTEM = ['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/usr/lib'];
const MOST_KEPT = 5_000;
const known = new Map<string, boolean>();

/** Looked at once: it lies outside the workspace, and no command that runs unasked changes it. */
function isShim(file: string): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  if (known.size >= MOST_KEPT) known.clear();
  const is = looksLikeShim(file);
  known.set(file, is);
  return is;
}

function looksLikeShim(file: string): boolean {
  const real = realOr(file);
  if (MANAGERS.test(posix.basename(real)) || file.split('/').includes('shims')) return true;
  return !SYSTEM.some((folder) => isInside(real, folder)) && isShellScript(real);
}

function isShellScript(file: string): boolean {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, 'r');
    const bytes = Buffer.alloc(64);
    const head = bytes.toString('latin1', 0, readSync(descriptor, bytes));
    return /^#!\s*\S*\/(?:env\s+)?(?:ba|da|z|k|a)?sh\b/.test(head);
  } catch {
    return false;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function realOr(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function foldersUp(folder: string, home: string): ReadonlyArray<string> {
  const above = posix.dirname(folder);
  if (folder === home) return [];
  return above === folder ? [folder] : [folder, ...foldersUp(above, home)];
}
