import path from 'node:path';
import { findSecrets, homesHere, isInside, resolveInside, type Secrets } from '@attractor/confine';
import { checkedReads } from './checked-reads.ts';
import { EnvironmentError, type ExecutionEnvironment } from '../types/index.ts';

/**
 * Gives file tools the limits of commands: what a sandboxed process can't read is neither read, searched, listed nor changed. This matters
 * only if a folder that tools may use contains secrets, such as the home folder itself; otherwise the environment is returned unchanged.
 */
export function guardSecrets(environment: ExecutionEnvironment, look: () => Secrets): ExecutionEnvironment {
  const secrets = look();
  const root = environment.workingDirectory();
  // Commands can see a workspace inside a hidden folder, so tools can too.
  const hidden = secrets.hidden.filter((secret) => secret !== root && isInside(root, secret));
  if (hidden.length === 0) return environment;
  const isSecret = (real: string): boolean =>
    hidden.some((secret) => isInside(secret, real)) && !secrets.stillRead.some((folder) => isInside(folder, real));
  const check = (asked: string): void => {
    if (isSecret(realOf(root, asked))) throw refusal(asked);
  };
  const isShown = (name: string): boolean => !isSecret(path.resolve(root, name));
  return {
    ...environment,
    ...guardedReads(environment, check),
    ...guardedWrites(environment, check),
    refuses: (file, access) =>
      isSecret(realOf(root, file)) ? refusal(file).message : (environment.refuses?.(file, access) ?? null),
    listDirectory: async (folder, depth) => {
      check(folder);
      const base = realOf(root, folder);
      const entries = await environment.listDirectory(folder, depth);
      return entries.filter(({ name }) => !isSecret(path.join(base, name)));
    },
    grep: async (pattern, where, options) => {
      check(where);
      const leaveOut = (file: string): boolean => !isShown(file) || options?.leaveOut?.(file) === true;
      const found = await environment.grep(pattern, where, { ...options, leaveOut });
      return found
        .split('\n')
        .filter((line) => namesIn(line).every(isShown))
        .join('\n');
    },
    glob: async (pattern, where, options) => {
      check(where);
      return (await environment.glob(pattern, where, options)).filter(isShown);
    },
  };
}

/** For file tools without a sandbox: they refuse what sandboxed commands could not read, even on machines that have no sandbox. */
export function hideSecrets(
  environment: ExecutionEnvironment,
  { denyRead = [] }: { readonly denyRead?: ReadonlyArray<string> } = {},
): ExecutionEnvironment {
  return guardSecrets(environment, () => findSecrets(homesHere(), denyRead));
}

type Check = (asked: string) => void;

function guardedReads(environment: ExecutionEnvironment, check: Check): Partial<ExecutionEnvironment> {
  return {
    ...checkedReads(environment, check),
    fileExists: async (file) => {
      check(file);
      return environment.fileExists(file);
    },
  };
}

function guardedWrites(environment: ExecutionEnvironment, check: Check): Partial<ExecutionEnvironment> {
  const { changeFiles } = environment;
  return {
    writeFile: async (file, content, options) => {
      check(file);
      return environment.writeFile(file, content, options);
    },
    deleteFile: async (file, options) => {
      check(file);
      return environment.deleteFile(file, options);
    },
    ...(changeFiles === undefined
      ? {}
      : {
          changeFiles: async (changes, options) => {
            for (const change of changes) {
              check(change.path);
              if (change.kind === 'move') check(change.to);
            }
            return changeFiles(changes, options);
          },
        }),
  };
}

/** A path that can't be resolved is refused by the environment itself. */
function realOf(root: string, asked: string): string {
  try {
    return resolveInside(root, asked).real;
  } catch {
    return path.resolve(root, asked);
  }
}

/**
 * A search hit begins with its file: `file:12:text`, or `file-12-text` for context lines. Either mark may be part of a name, so every
 * reading counts.
 */
function namesIn(line: string): ReadonlyArray<string> {
  return [...line.matchAll(/[:-]\d+[:-]/g)].map(({ index }) => line.slice(0, index));
}

function refusal(asked: string): EnvironmentError {
  return new EnvironmentError({
    code: 'protected',
    message: `${asked} holds secrets of this user: tools and commands can't use it.`,
  });
}
