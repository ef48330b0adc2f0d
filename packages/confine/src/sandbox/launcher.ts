import { createArgumentFiles } from './argument-files.ts';
import { createStatusFiles } from './status-files.ts';
import { without, type Bubblewrap } from './find-sandbox.ts';
import { ARGUMENTS_DESCRIPTOR, launchWords, preparationText, type PreparationText } from './launch-text.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { ProcessBound } from './process-bound.ts';
import type { SandboxedCommand } from './sandbox-policy.ts';

/** How commands of one sandbox are started, each with its own bounds. */
export type Launcher = {
  /** `told`: all arguments of bubblewrap except the command and its folder. Must be released when the command has ended. */
  readonly hold: (told: ReadonlyArray<string>, command: Launched) => Launch;
  /** For a bash that waits for one such command. Must be released when that has ended, or never came. */
  readonly prepare: () => Preparation;
};

type Launched = Pick<SandboxedCommand, 'cwd' | 'descriptor'> & { readonly argv: ReadonlyArray<string> };

type Launch = {
  readonly file: string;
  readonly args: ReadonlyArray<string>;
  /** Asked when it has ended, before the release. */
  readonly hasBegun: () => boolean;
  readonly release: () => void;
};

export type Preparation = PreparationText & { readonly release: () => void };

export type LauncherOptions = {
  readonly folder: PrivateFolder;
  readonly bubblewrap: Bubblewrap;
  readonly bound: ProcessBound;
  readonly maxFileBytes: number;
};

export function createLauncher({ folder, bubblewrap, bound, maxFileBytes }: LauncherOptions): Launcher {
  const { launcher, filter } = folder;
  const limits = { filter, kilobytes: Math.floor(maxFileBytes / 1024) };
  const argumentFiles = createArgumentFiles(folder.at);
  const statusFiles = createStatusFiles(folder.at, bubblewrap.lacks);
  return {
    hold: (told, { argv, cwd, descriptor = null }) => {
      const { at: argumentFile, release } = argumentFiles.hold(without(told, bubblewrap.lacks));
      const status = statusFiles.hold();
      const group = bound.groups?.take();
      const [file, ...words] = launchWords(limits, {
        launcher,
        group: group?.at ?? null,
        kept: descriptor,
        argumentFile,
        statusFile: status.at,
      });
      const called = [bubblewrap.path, '--args', ARGUMENTS_DESCRIPTOR, '--chdir', cwd, '--', ...bound.prefix, ...argv];
      return {
        file,
        args: [...words, ...called],
        hasBegun: status.hasBegun,
        release: () => {
          release();
          status.release();
          group?.giveBack();
        },
      };
    },
    prepare: () => {
      const group = bound.groups?.take();
      return { ...preparationText(limits, group?.at ?? null), release: () => group?.giveBack() };
    },
  };
}
