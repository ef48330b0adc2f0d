import { existsSync } from 'node:fs';
import path from 'node:path';
import { startProgram, superviseChild, type Variables } from '@attractor/system';
import { checkoutsAround, findGit, foldersOutside } from './git-path.ts';

export type GitAnswer = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

export type GitQuestion = {
  readonly folder: string;
  /** The variables of the commands that the answer is about: git must find and obey the same as it would there. */
  readonly variables: Variables;
  /** The folder is a submodule: git enters those by their own `.git`, and looks no further up. */
  readonly isSubmodule: boolean;
};

/** Only guards against a repository that makes git wait forever. */
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 << 20;

/**
 * Asks git about a folder, with the person's own configuration and the repository's, as a command there would meet them. Only for
 * subcommands that run none of the programs that these name. Null: git gave no whole answer.
 */
export async function askGit(
  args: ReadonlyArray<string>,
  question: GitQuestion,
  timeoutMs = TIMEOUT_MS,
): Promise<GitAnswer | null> {
  const { folder, variables } = question;
  const outside = checkoutsAround(folder);
  const git = findGit(variables['PATH'] ?? '', outside);
  if (git === null || !existsSync(folder)) return null;
  const child = startProgram({
    file: git,
    args: ['--no-pager', ...args],
    cwd: folder,
    env: questionVariables(question, outside),
  });
  const outcome = await superviseChild(child, { timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES });
  return outcome.spawnError === undefined && !outcome.timedOut && outcome.omittedBytes === 0 ? outcome : null;
}

/** These say where the repository or the configuration is. Others of git's make it write, wait or talk. */
const STEERING =
  /^(?:HOME|XDG_CONFIG_HOME|GIT_(?:DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|CONFIG_\w+))$/;
/** Git itself takes these from what it starts in a submodule. */
const OF_ONE_REPOSITORY = /^GIT_(?:DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY)$/;

function questionVariables(
  { variables, isSubmodule }: GitQuestion,
  outside: ReadonlyArray<string>,
): Record<string, string> {
  const given = Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && STEERING.test(name) && !(isSubmodule && OF_ONE_REPOSITORY.test(name))
      ? [[name, value] as const]
      : [],
  );
  return {
    ...Object.fromEntries(given),
    PATH: foldersOutside(variables['PATH'] ?? '', outside).join(path.delimiter),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_LAZY_FETCH: '1',
    ...(isSubmodule ? { GIT_DIR: '.git' } : {}),
  };
}
