import {
  allowsPart,
  diskOf,
  readShell,
  restrictsPart,
  shownByGit,
  type ShellReading,
  suggestRule,
} from '@attractor/shell';
import type { ShellPlaces, ShellPort } from './shell-port.ts';

/** Our own parser of bash. This file is loaded with the first command that is judged, and the grammar with it. */
export const SHELL: ShellPort = {
  read: readOnce(),
  matches: (content, part, behavior) =>
    behavior === 'allow' ? allowsPart(content, part) : restrictsPart(content, part),
  suggest: suggestRule,
  shows: shownByGit,
};

const MOST_KEPT = 100;
const LONGEST_KEPT = 1_000;

/**
 * Agents repeat themselves. A reading is kept where the command's text alone decided it: none for which the disk was asked. Programs
 * outside the workspace are no question to the disk, since no command that runs unasked changes them.
 */
function readOnce(): ShellPort['read'] {
  const kept = new Map<string, ShellReading>();
  return (command, places) => {
    const { cwd, root, home, folders, searchPath } = places;
    const key = JSON.stringify([command, cwd, root, home, folders, searchPath]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const { reading, askedDisk } = readNow(command, places);
    if (!askedDisk && command.length <= LONGEST_KEPT) {
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(key, reading);
    }
    return reading;
  };
}

function readNow(command: string, { searchPath, ...places }: ShellPlaces) {
  const disk = diskOf(searchPath, places.folders);
  let askedDisk = !disk.hasFixedPrograms;
  const noted =
    <Asked, Answer>(ask: (asked: Asked) => Answer) =>
    (asked: Asked): Answer => {
      askedDisk = true;
      return ask(asked);
    };
  const reading = readShell(command, {
    ...places,
    asksGit: true,
    disk: { ...disk, realpath: noted(disk.realpath), list: noted(disk.list) },
  });
  return { reading, askedDisk };
}
