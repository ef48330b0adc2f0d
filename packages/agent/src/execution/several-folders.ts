import path from 'node:path';
import { defined } from '@attractor/base';
import {
  EnvironmentError,
  type ExecCommand,
  type ExecOptions,
  type ExecResult,
  type ExecutionEnvironment,
  type FileChange,
  type OperationOptions,
} from '../types/index.ts';

/**
 * One environment over several folders, each with its own containment. An absolute path below one of the further folders belongs to that
 * folder; everything else belongs to the first, including commands, unless their working directory says otherwise.
 */
export function joinFolders(
  first: ExecutionEnvironment,
  further: ReadonlyArray<ExecutionEnvironment>,
): ExecutionEnvironment {
  if (further.length === 0) return first;
  const owner = (file: string): ExecutionEnvironment => further.find((folder) => isBelow(folder, file)) ?? first;
  const all = [first, ...further];
  return {
    ...first,
    readFile: (file, ...range) => owner(file).readFile(file, ...range),
    readText: (file, options) => owner(file).readText(file, options),
    readBytes: (file, options) => owner(file).readBytes(file, options),
    writeFile: (file, content, options) => owner(file).writeFile(file, content, options),
    deleteFile: (file, options) => owner(file).deleteFile(file, options),
    fileExists: (file) => owner(file).fileExists(file),
    listDirectory: (folder, depth) => owner(folder).listDirectory(folder, depth),
    grep: (pattern, folder, options) => owner(folder).grep(pattern, folder, options),
    glob: (pattern, folder, options) => owner(folder).glob(pattern, folder, options),
    execCommand: execIn(owner, first),
    refuses: (file, access) => owner(file).refuses?.(file, access) ?? null,
    refusesTogether: (files) => (new Set(files.map(owner)).size > 1 ? SEVERAL_FOLDERS : null),
    ...(first.startCommand === undefined ? {} : { startCommand: startIn(owner, first) }),
    ...(first.fileVersion === undefined
      ? {}
      : { fileVersion: async (file: string) => (await owner(file).fileVersion?.(file)) ?? null }),
    ...(first.changeFiles === undefined
      ? {}
      : {
          changeFiles: async (changes: ReadonlyArray<FileChange>, options?: OperationOptions) => {
            await sameOwner(changes, owner).changeFiles?.(changes, options);
          },
        }),
    furtherFolders: () => further.map((folder) => folder.workingDirectory()),
    initialize: async () => void (await Promise.all(all.map((folder) => folder.initialize()))),
    cleanup: async () => void (await Promise.all(all.map((folder) => folder.cleanup()))),
  };
}

function isBelow(folder: ExecutionEnvironment, file: string): boolean {
  if (!path.isAbsolute(file)) return false;
  const rest = path.relative(folder.workingDirectory(), file);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${path.sep}`) && !path.isAbsolute(rest));
}

function execIn(owner: (file: string) => ExecutionEnvironment, first: ExecutionEnvironment): ExecCommand {
  return (command: string, limit?: number | ExecOptions, ...place: [string?, Readonly<Record<string, string>>?]) => {
    const options: ExecOptions = typeof limit === 'object' ? limit : positional(limit, place);
    const chosen = options.workingDir === undefined ? first : owner(options.workingDir);
    return seenFrom(first, chosen, chosen.execCommand(command, options));
  };
}

/** A folder that a command ended in is told from the first folder, as it is where that contains it. */
async function seenFrom(
  first: ExecutionEnvironment,
  chosen: ExecutionEnvironment,
  running: Promise<ExecResult>,
): Promise<ExecResult> {
  const result = await running;
  if (result.workingDir === undefined || chosen === first) return result;
  const at = path.resolve(chosen.workingDirectory(), result.workingDir);
  const isOfFirst = isBelow(first, at) && !isBelow(chosen, at);
  return { ...result, workingDir: isOfFirst ? path.relative(first.workingDirectory(), at) || '.' : at };
}

function startIn(
  owner: (file: string) => ExecutionEnvironment,
  first: ExecutionEnvironment,
): NonNullable<ExecutionEnvironment['startCommand']> {
  return async (command, options) => {
    const { startCommand } = options.workingDir === undefined ? first : owner(options.workingDir);
    if (startCommand === undefined)
      throw new EnvironmentError({ code: 'unsupported', message: 'Nothing can run in the background in that folder.' });
    return startCommand(command, options);
  };
}

function positional(
  timeoutMs: number | undefined,
  [workingDir, envVars]: [string?, Readonly<Record<string, string>>?],
): ExecOptions {
  return {
    ...defined({ timeoutMs, workingDir, envVars }),
  };
}

const SEVERAL_FOLDERS =
  'One change over several folders is not possible: change the files of each folder on their own.';

/** Changes are all or nothing within one folder; across folders that can't be guaranteed. */
function sameOwner(
  changes: ReadonlyArray<FileChange>,
  owner: (file: string) => ExecutionEnvironment,
): ExecutionEnvironment {
  const owners = new Set(
    changes.flatMap((change) => [change.path, ...(change.kind === 'move' ? [change.to] : [])]).map(owner),
  );
  const [only] = owners;
  if (only?.changeFiles !== undefined && owners.size === 1) return only;
  throw new EnvironmentError({
    code: 'outside',
    message: SEVERAL_FOLDERS,
  });
}
