import { accessSync, constants, realpathSync } from 'node:fs';
import path from 'node:path';

const USUAL = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/bin'];

/**
 * The absolute path of the git program, or null. A folder inside `outside` is passed over, and so is a relative one:
 * a repository must not bring its own git.
 */
export function findGit(searchPath: string, outside: string): string | null {
  const root = realOr(path.resolve(outside));
  for (const folder of [...searchPath.split(path.delimiter), ...USUAL]) {
    if (!path.isAbsolute(folder)) continue;
    const candidate = realOr(path.join(folder, 'git'));
    if (!isInside(root, candidate) && isExecutable(candidate)) return path.join(folder, 'git');
  }
  return null;
}

function isInside(root: string, candidate: string): boolean {
  return root !== path.parse(root).root && candidate.startsWith(root + path.sep);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function realOr(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
