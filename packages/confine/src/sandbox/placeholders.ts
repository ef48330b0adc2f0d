import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, utimesSync } from 'node:fs';
import { isPlaceholder, PLACEHOLDER_MODE } from './protected-mounts.ts';

/**
 * A mask needs a mount point: an empty folder on the host that exists while commands run and a little longer. Git shows no empty folders.
 * Only empty folders are ever removed, so nothing can be lost; those that a killed process left are recognised by their mode bits and
 * removed with the next ones. A folder is not removed under the mask of another process: see `isInUse`.
 */
export type Placeholders = {
  /**
   * Creates what is missing and returns which paths can be masked: where nothing can be created, a command can't create anything either.
   */
  readonly hold: (paths: ReadonlyArray<string>) => ReadonlyArray<string>;
  /** True for a folder that we made and have not removed. */
  readonly isOurs: (folder: string) => boolean;
  readonly release: () => void;
  /** Removes them now, unless somebody still holds them; `atExit`: our own commands end with us and don't count. */
  readonly removeNow: (when?: 'atExit') => void;
};

/** Commands tend to follow each other, and folders that come and go disturb programs that watch the workspace. */
const LINGER_MS = 3_000;

export function createPlaceholders(): Placeholders {
  const made = new Set<string>();
  let holders = 0;
  let touchedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const removeNow: Placeholders['removeNow'] = (when) => {
    clearTimeout(timer);
    const [lead] = made;
    if (when === 'atExit') for (const folder of made) removeEmpty(folder);
    if (holders > 0 || lead === undefined || isInUse(lead, touchedAt)) return;
    for (const folder of made) removeEmpty(folder);
    made.clear();
  };
  return {
    hold(paths) {
      clearTimeout(timer);
      holders += 1;
      const held = paths.filter((folder) => (made.has(folder) && existsSync(folder)) || makeOne(folder));
      for (const folder of held) made.add(folder);
      const [lead] = made;
      if (lead !== undefined) touchedAt = touch(lead);
      return held;
    },
    isOurs: (folder) => made.has(folder),
    release() {
      holders -= 1;
      if (holders === 0) timer = setTimeout(() => removeNow(), LINGER_MS).unref();
    },
    removeNow,
  };
}

function makeOne(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o555 });
    chmodSync(folder, PLACEHOLDER_MODE);
    return true;
  } catch {
    return isPlaceholder(folder);
  }
}

/** The last user records itself here, and removes them. */
function touch(lead: string): number {
  try {
    const now = new Date();
    utimesSync(lead, now, now);
    return statSync(lead).mtimeMs;
  } catch {
    return 0;
  }
}

/** Another process touched them since, or has a mask on them: removing the folder would remove that mask. */
function isInUse(lead: string, touchedAt: number): boolean {
  try {
    if (statSync(lead).mtimeMs !== touchedAt) return true;
  } catch {
    return false;
  }
  const mountPoint = ` ${escaped(lead)} `;
  return processIds().some((pid) => isBubblewrap(pid) && textOf(`/proc/${pid}/mountinfo`).includes(mountPoint));
}

function processIds(): ReadonlyArray<string> {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function isBubblewrap(pid: string): boolean {
  return textOf(`/proc/${pid}/comm`).trim() === 'bwrap';
}

/** The kernel's spelling of paths in its list of mounts. */
function escaped(file: string): string {
  return file.replaceAll(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Gone, or somebody put something in it: then it is theirs.
  }
}
