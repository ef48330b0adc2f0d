import { createArgumentFiles } from './argument-files.ts';
import { without, type Bubblewrap } from './find-sandbox.ts';
import { ARGUMENTS_DESCRIPTOR, launchWords, preparationText, type PreparationText } from './launch-text.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { ProcessBound } from './process-bound.ts';

/** How commands of one sandbox are started, each under bounds of its own. */
export type Launcher = {
  /** `told`: all that bubblewrap is told but for the command and its folder. Must be released when the command has ended. */
  readonly hold: (told: ReadonlyArray<string>, command: Launched) => Launch;
  /** For a bash that waits for one such command after the other. */
  readonly prepare: () => Preparation;
};

type Launched = { readonly argv: ReadonlyArray<string>; readonly cwd: string };

type Launch = { readonly file: string; readonly args: ReadonlyArray<string>; readonly release: () => void };

export type Preparation = PreparationText & { readonly release: () => void };

export type LauncherOptions = {
  readonly folder: PrivateFolder;
  readonly bubblewrap: Bubblewrap;
  readonly bound: ProcessBound;
  readonly maxFileBytes: number;
};

/** For commands that follow each other: one for the next, and two in which processes of those before may still be ending. */
const GROUPS_AHEAD = 3;

export function createLauncher({ folder, bubblewrap, bound, maxFileBytes }: LauncherOptions): Launcher {
  const { launcher, filter } = folder;
  const limits = { filter, kilobytes: Math.floor(maxFileBytes / 1024) };
  const argumentFiles = createArgumentFiles(folder.at);
  return {
    hold: (told, { argv, cwd }) => {
      const { at: argumentFile, release } = argumentFiles.hold(without(told, bubblewrap.lacks));
      const group = bound.groups?.take();
      const [file, ...words] = launchWords(limits, { launcher, group: group?.at ?? null, argumentFile });
      const called = [bubblewrap.path, '--args', ARGUMENTS_DESCRIPTOR, '--chdir', cwd, '--', ...bound.prefix, ...argv];
      return {
        file,
        args: [...words, ...called],
        release: () => {
          release();
          group?.giveBack();
        },
      };
    },
    prepare: () => {
      const { groups } = bound;
      const ahead = groups === null ? [] : Array.from({ length: GROUPS_AHEAD }, groups.take);
      const places = ahead.map(({ at }) => at);
      return { ...preparationText(limits, places), release: () => ahead.forEach(({ giveBack }) => giveBack()) };
    },
  };
}
