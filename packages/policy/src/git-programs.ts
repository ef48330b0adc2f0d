import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside, programsIn } from '@attractor/confine';
import {
  checkedOutSubmodules,
  gitHere,
  type GitHere,
  type GitRepository,
  type GitSetting,
  isOfRepository,
} from '@attractor/git';
import type { Variables } from '@attractor/system';
import { isHarmlessSetting } from './harmless-git-settings.ts';

/** Where git would run. `folders`: those of the workspace, with links resolved; `variables`: what commands see. */
export type GitContext = {
  readonly folder: string;
  readonly folders: ReadonlyArray<string>;
  readonly variables: Variables;
};

/**
 * Why git, even when it only reads, might run a program, or read elsewhere, because of the repository that it finds from a folder; null if
 * it can't. The author of the repository need not be the person working here: it may come from an archive, or from a folder in a commit
 * that git takes for one. What the person configured for all their repositories is their own choice.
 */
export async function whyGitAsks(context: GitContext): Promise<string | null> {
  return whyNot(context, { isSubmodule: false, depth: 0 });
}

/** Whether what git finds from a folder stays the same whatever is written there outside protected names: it contains `.git`. */
export async function isFixed({ folder, folders, variables }: GitContext): Promise<boolean> {
  const here = await gitHere({ folder, variables });
  const repository = here?.repository;
  if (repository === null || repository === undefined || repository.top !== realOf(folder)) return false;
  const isApart = (place: string): boolean =>
    place.split('/').includes('.git') || !folders.some((one) => isInside(one, place));
  return isApart(repository.gitDir) && isApart(repository.commonDir);
}

/** The folder whose files git runs as hooks, if a setting names one, and the files of the workspace that a setting has git run. */
export async function runByGit({ folder, variables }: Omit<GitContext, 'folders'>): Promise<ReadonlyArray<string>> {
  const here = await gitHere({ folder, variables });
  if (here === null) return [];
  const { settings, repository } = here;
  const hooks = settings.some(({ key }) => key === 'core.hookspath') ? (repository?.hooks ?? null) : null;
  const top = repository?.top ?? folder;
  const programs = settings
    .flatMap(({ key, value }) => programsIn(key, value ?? ''))
    .map((word) => path.resolve(top, word))
    .filter((at) => isInside(top, at) && statSync(at, { throwIfNoEntry: false })?.isDirectory() !== true);
  return [...(hooks === null ? [] : [hooks]), ...programs];
}

type Level = { readonly isSubmodule: boolean; readonly depth: number };

const MOST_SUBMODULES = 50;
const DEEPEST = 5;

async function whyNot(context: GitContext, level: Level): Promise<string | null> {
  const { folder, variables } = context;
  const here = await gitHere({ folder, variables, isSubmodule: level.isSubmodule });
  if (here === null) return 'git can’t tell which repository it would use, or its files can’t be read';
  const { repository } = here;
  const setting = settingIn(here, context);
  if (setting !== null || repository === null) return setting;
  return (
    whyElsewhere(here, repository, context) ??
    whyObjects(here, repository, context) ??
    (await whySubmodules(repository, context, level))
  );
}

/** Git enters every submodule that is checked out, and obeys its settings. */
async function whySubmodules(repository: GitRepository, context: GitContext, level: Level): Promise<string | null> {
  const { variables } = context;
  const found = await checkedOutSubmodules(repository, { ...context, isSubmodule: level.isSubmodule });
  if (found === null) return 'git can’t tell which submodules there are';
  if (found.length > MOST_SUBMODULES || (found.length > 0 && level.depth >= DEEPEST))
    return 'the repository has too many submodules to look through';
  const folders = repository.top === null ? context.folders : [...context.folders, repository.top];
  for (const folder of found) {
    const why = await whyNot({ folder, folders, variables }, { isSubmodule: true, depth: level.depth + 1 });
    if (why !== null) return `${why} (submodule ${path.basename(folder)})`;
  }
  return null;
}

function settingIn(here: GitHere, context: GitContext): string | null {
  for (const setting of here.settings) {
    const { key, value } = setting;
    if (!isOfRepository(setting) && !isWrittenHere(setting, context)) {
      if (runsOfWorkspace(setting, [here.repository?.top ?? context.folder, context.folder]))
        return `your git configuration names ${key} in the workspace itself`;
      continue;
    }
    const isFine =
      key === 'core.worktree'
        ? isOwnTree(here.repository, context)
        : FILE_KEYS.has(key)
          ? isFileOf(here.repository, value)
          : isHarmlessSetting(key, value);
    if (!isFine) return `the repository’s git configuration sets ${key}, which may name a program`;
  }
  return null;
}

/** A person's configuration may include a file in the workspace, where others write. */
function isWrittenHere({ file }: GitSetting, { folders }: GitContext): boolean {
  if (file === null) return false;
  const real = realOf(file);
  return !path.isAbsolute(file) || real === null || folders.some((folder) => isInside(folder, real));
}

const PROGRAM_KEY =
  /(?:^core\.(?:fsmonitor|alternaterefscommand)|^diff\.external|\.(?:textconv|command|cmd|clean|smudge|process|driver|program|defaultkeycommand))$/;

/**
 * `.git/hooks/x`, `./x`: resolved from the folder that git is in. So is what the program is given: the script of `node clean.js`, the module of
 * `python3 -m conv`, whatever `npx` finds.
 */
function runsOfWorkspace({ key, value }: GitSetting, folders: ReadonlyArray<string>): boolean {
  if (!PROGRAM_KEY.test(key) || value === null) return false;
  if (/^\s*["']?(?![~/$])[^\s/]*\//.test(value) || RUNS_PROJECTS.test(value)) return true;
  const words = value.split(/[\s'"=;|&()<>]+/).filter((word) => word !== '' && !word.startsWith('-'));
  const [name = '', ...given] = words;
  const files = INTERPRETERS.test(path.basename(name)) ? given : given.filter((word) => /[./]/.test(word));
  return files.some((word) => !/^[~$]/.test(word) && folders.some((folder) => isThereIn(folder, word)));
}

/** They take a plain word for a file of their folder; of others only a word that looks like a path counts. */
const INTERPRETERS = /^(?:(?:ba|da|z|k)?sh|node|deno|tsx|python[\d.]*|perl|ruby|php|lua|env|exec)$/;

/** They look for what they run in the project around them. */
const RUNS_PROJECTS =
  /(?:^|[\s;|&('"/])(?:npx|npm|pnpm|yarn|bunx?|make|just|rake|bundle|poetry|uv|cargo|gradlew?|mvn)(?:\s|$)|\bpython[\d.]*\s(?:.*\s)?-m\b/;

function isThereIn(folder: string, word: string): boolean {
  const at = path.resolve(folder, word);
  return isInside(realOf(folder) ?? folder, at) && existsSync(at);
}

/** Settings that name a file which git reads, and partly prints if it is not what git expects. */
const FILE_KEYS: ReadonlySet<string> = new Set([
  'blame.ignorerevsfile',
  'core.attributesfile',
  'core.excludesfile',
  'diff.orderfile',
  'mailmap.file',
]);

function isFileOf(repository: GitRepository | null, value: string | null): boolean {
  if (repository === null || repository.top === null || value === null || path.isAbsolute(value)) return false;
  const at = path.resolve(repository.top, value);
  return !value.startsWith('~') && isInside(repository.top, realOf(at) ?? at);
}

/** The tree that a repository names: the one that git was called in, and either in the workspace or named by something outside it. */
function isOwnTree(repository: GitRepository | null, { folder, folders }: GitContext): boolean {
  const real = realOf(folder);
  if (repository === null || repository.top === null || real === null || !isInside(repository.top, real)) return false;
  const { top, gitDir } = repository;
  const isOfWorkspace = (place: string): boolean => folders.some((one) => isInside(one, place));
  return isOfWorkspace(top) || !isOfWorkspace(realOf(gitDir) ?? gitDir);
}

/** The history of another repository does not belong to this workspace: `.git` may be a file, a link or a folder that names any. */
function whyElsewhere(here: GitHere, repository: GitRepository, { folder, folders }: GitContext): string | null {
  const real = realOf(folder);
  const gitDir = realOf(repository.gitDir);
  const commonDir = realOf(repository.commonDir);
  if (real === null || gitDir === null || commonDir === null) return 'where the repository lies can’t be told';
  const isNear = (place: string): boolean =>
    folders.some((one) => isInside(one, place)) ||
    isInside(place, real) ||
    (path.basename(place) === '.git' && isInside(path.dirname(place), real));
  if ((isNear(gitDir) && isNear(commonDir)) || isRegistered(repository, gitDir, commonDir)) return null;
  // Its own configuration, which is there, says that its tree is here.
  if (gitDir === commonDir && here.settings.some(({ key, scope }) => key === 'core.worktree' && scope === 'local'))
    return null;
  return `the repository lies in ${commonDir}, and does not know this folder`;
}

/** A worktree's folder is in its repository and points back to the worktree. */
function isRegistered({ top }: GitRepository, gitDir: string, commonDir: string): boolean {
  if (top === null || path.dirname(gitDir) !== path.join(commonDir, 'worktrees')) return false;
  try {
    const back = path.resolve(gitDir, readFileSync(path.join(gitDir, 'gitdir'), 'utf8').trimEnd());
    return realpathSync(back) === realpathSync(path.join(top, '.git'));
  } catch {
    return false;
  }
}

function whyObjects({ link }: GitHere, repository: GitRepository, context: GitContext): string | null {
  if (link !== null) return `${link} leads out of the repository`;
  const { hooks, alternates } = repository;
  if ((statSync(alternates, { throwIfNoEntry: false })?.size ?? 0) > 0)
    return 'the repository takes objects from another one';
  return isOwnHooks(repository, context) && existsSync(path.join(hooks, 'post-index-change'))
    ? 'the repository has a hook that git may run'
    : null;
}

function isOwnHooks({ hooks, gitDir, commonDir, top }: GitRepository, { folders }: GitContext): boolean {
  const real = realOf(hooks);
  if (real === null) return false;
  const own = [...folders, gitDir, commonDir, ...(top === null ? [] : [top])].map((one) => realOf(one) ?? one);
  return own.some((folder) => isInside(folder, real));
}

function realOf(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}
