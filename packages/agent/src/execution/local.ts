import { realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EnvironmentError } from '../types/index.ts';
import type { EnvVarPolicy, ExecutionEnvironment } from '../types/index.ts';
import { resolveInside, type Sandbox } from '@attractor/confine';
import { guardSecrets } from './secret-guard.ts';
import {
  changeFiles,
  deleteOne,
  globFiles,
  grepFiles,
  listEntries,
  readNumberedLines,
  readWholeBytes,
  readWholeText,
  recoverInterrupted,
  versionOf,
  withOpenFile,
  writeWhole,
} from '@attractor/files';
import { folderFor } from './command-folder.ts';
import { createShellCommands } from './shell-commands.ts';
import { whyContained } from './why-contained.ts';
import type { IsExcluded } from '@attractor/policy';
import { secretValues } from '@attractor/redact';
import { hostVariables, keepOutputs, type Variables } from '@attractor/system';

export type LocalEnvironmentOptions = {
  /** The variables that children may inherit. Absent: those of this process. */
  readonly env?: Variables;
  /** All variables of commands, as they are; read with the first command. Absent: those of `env` that the policy lets through. */
  readonly variables?: () => Readonly<Record<string, string>>;
  /** The limit for stdout and for stderr each; a longer output loses its middle. Default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** Where longer outputs are kept, without secrets. Absent: a temporary folder that `cleanup` removes. */
  readonly outputFolder?: string;
  /** Absent: the packaged ripgrep. Null: search without it. */
  readonly ripgrep?: string | null;
  /** Commands that a person excluded from the sandbox. Absent: none. */
  readonly isExcluded?: IsExcluded | undefined;
  /** All folders of the session: a command may end in any of them. Absent: this one alone. */
  readonly folders?: ReadonlyArray<string>;
  /** Commands run inside it, and file tools refuse whatever can't be read there. The caller that made it closes it. Absent: none. */
  readonly sandbox?: Pick<Sandbox, 'wrap' | 'prepare' | 'refused' | 'secrets' | 'limits'> | undefined;
};

/**
 * An environment on this machine. Every path is resolved link by link and must end inside `workingDir`; writes are atomic; commands run in
 * their own process group, without stdin unless it is given, and leave nothing running.
 */
export function createLocalExecutionEnvironment(
  workingDir: string,
  envVarPolicy: EnvVarPolicy = 'inherit_core',
  options: LocalEnvironmentOptions = {},
): ExecutionEnvironment {
  const root = canonical(workingDir);
  const outputs = keepOutputs(options.outputFolder, () => secretValues(options.variables?.() ?? {}));
  const commands = createShellCommands({
    root,
    outputs,
    host: options.env ?? hostVariables(),
    variables: options.variables ?? null,
    isExcluded: options.isExcluded,
    folders: options.folders?.map(canonical) ?? [],
    policy: envVarPolicy,
    maxOutputBytes: options.maxOutputBytes,
    sandbox: options.sandbox,
  });
  const rootOf = (asked: string): string => outputs.folderOf(asked) ?? root;
  const environment: ExecutionEnvironment = {
    ...fileOperations(root, rootOf),
    refuses: (file, access) => whyContained(access === 'read' ? rootOf(file) : root, file, access),
    execCommand: commands.run,
    startCommand: commands.start,
    grep: (pattern, where, grepOptions = {}) =>
      abortable(where, () =>
        grepFiles({ root: rootOf(where), pattern, path: where, options: grepOptions, ripgrep: options.ripgrep }),
      ),
    glob: (pattern, where, { signal } = {}) =>
      abortable(where, () => globFiles(root, { pattern, path: where, signal })),
    initialize: async () => {
      folderFor(root, root).close();
      await recoverInterrupted(root);
    },
    cleanup: commands.end,
    workingDirectory: () => root,
    platform: () => process.platform,
    osVersion: () => os.release(),
  };
  const { sandbox } = options;
  return sandbox === undefined
    ? environment
    : guardSecrets({ ...environment, limits: sandbox.limits }, sandbox.secrets);
}

type FileOperations = Pick<
  ExecutionEnvironment,
  | 'readFile'
  | 'readText'
  | 'readBytes'
  | 'writeFile'
  | 'deleteFile'
  | 'changeFiles'
  | 'fileExists'
  | 'fileVersion'
  | 'listDirectory'
>;

/** `rootOf`: the root that a path may be read from, if there are several. */
function fileOperations(root: string, rootOf: (asked: string) => string): FileOperations {
  return {
    readFile: (file, offset = 0, limit = Infinity, { signal } = {}) =>
      abortable(file, () =>
        withOpenFile(rootOf(file), file, (opened) => readNumberedLines(opened, file, { offset, limit, signal })),
      ),
    readText: (file, { signal } = {}) => abortable(file, () => readWholeText(root, file, signal)),
    readBytes: (file, { signal } = {}) => abortable(file, () => readWholeBytes(root, file, signal)),
    writeFile: (file, content, { signal, expectedVersion } = {}) =>
      abortable(file, async () => {
        signal?.throwIfAborted();
        await writeWhole(root, file, { content, expectedVersion });
      }),
    deleteFile: (file, { signal } = {}) =>
      abortable(file, async () => {
        signal?.throwIfAborted();
        await deleteOne(root, file);
      }),
    changeFiles: (changes, options = {}) =>
      abortable(changes[0]?.path ?? '', () => changeFiles(root, changes, options)),
    fileExists: async (file) => exists(root, file),
    fileVersion: async (file) => {
      const { real, stats } = resolveInside(root, file);
      return stats === null ? null : versionOf(real, stats);
    },
    listDirectory: (folder, depth = 1) => listEntries(root, folder, depth),
  };
}

function exists(root: string, asked: string): boolean {
  try {
    return resolveInside(root, asked).stats !== null;
  } catch {
    return false;
  }
}

/** A missing folder is reported by `initialize` and by every operation, not here. */
function canonical(workingDir: string): string {
  const absolute = path.resolve(workingDir);
  return statSync(absolute, { throwIfNoEntry: false }) === undefined ? absolute : realpathSync(absolute);
}

async function abortable<T>(name: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') {
      throw new EnvironmentError({
        code: 'aborted',
        message: `The operation on ${name} was stopped on request.`,
        cause: error,
      });
    }
    throw error;
  }
}
