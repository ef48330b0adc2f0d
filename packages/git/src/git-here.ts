import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Variables } from '@attractor/system';
import type { GitQuestion } from './ask-git.ts';
import { linkLeadingOut } from './links-out.ts';
import { rememberWhileUnchanged } from './unchanged.ts';
import { type GitRepository, type GitSetting, type Obeyed, submodulesOf, whatGitObeys } from './what-git-obeys.ts';

/** What git obeys in a folder. `link`: one inside the repository's own folders that leads out of them. */
export type GitHere = Obeyed & { readonly link: string | null };

export type GitPlace = { readonly folder: string; readonly variables: Variables; readonly isSubmodule?: boolean };

/** As `whatGitObeys`; asked again only when something changed that the answer depends on. */
export async function gitHere(place: GitPlace): Promise<GitHere | null> {
  const question = questionOf(place);
  return rememberedHere(keyOf(question), async () => {
    const obeyed = await whatGitObeys(question);
    if (obeyed === null) return { value: null, files: [] };
    const { repository } = obeyed;
    const link = repository === null ? null : linkLeadingOut([repository.gitDir, repository.commonDir]);
    return { value: { ...obeyed, link }, files: groundsOf(obeyed, question) };
  });
}

/** The submodules that are checked out here; null when that can't be told. */
export async function checkedOutSubmodules(
  repository: GitRepository,
  place: GitPlace,
): Promise<ReadonlyArray<string> | null> {
  const question = questionOf(place);
  const folders = await rememberedSubmodules(keyOf(question), async () => ({
    value: await submodulesOf(repository, question),
    files: [repository.index, ...sharedIndexes(path.dirname(repository.index)), repository.gitDir],
  }));
  return folders?.filter((folder) => existsSync(path.join(folder, '.git'))) ?? null;
}

const rememberedHere = rememberWhileUnchanged<GitHere | null>();
const rememberedSubmodules = rememberWhileUnchanged<ReadonlyArray<string> | null>();

export function questionOf({ folder, variables, isSubmodule = false }: GitPlace): GitQuestion {
  return { folder, variables, isSubmodule };
}

function keyOf({ folder, variables, isSubmodule }: GitQuestion): string {
  const steering = Object.entries(variables).filter(([name]) => /^(?:GIT_|HOME$|XDG_CONFIG_HOME$|PATH$)/.test(name));
  return JSON.stringify([folder, isSubmodule, steering.toSorted()]);
}

/** Everything whose change could change the answer; what is not there now counts through the folder that it would be in. */
function groundsOf({ repository, settings }: Obeyed, { folder, variables }: GitQuestion): ReadonlyArray<string> {
  const home = variables['HOME'] ?? '/';
  const personal = [
    '/etc/gitconfig',
    path.join(home, '.gitconfig'),
    path.join(variables['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'git/config'),
  ];
  const base = repository?.top ?? repository?.gitDir ?? folder;
  const named = settings.flatMap((setting) => filesNamedBy(setting, base, home));
  return [...personal, ...named, ...searched(repository, settings, folder), ...ownFiles(repository)];
}

function filesNamedBy({ file, key, value }: GitSetting, base: string, home: string): ReadonlyArray<string> {
  if (file === null) return [];
  const at = path.resolve(base, file);
  if (!/^include(?:if\..*)?\.path$/i.test(key) || value === null) return [at];
  return [at, path.resolve(path.dirname(at), value.replace(/^~(?=\/)/, home))];
}

/** The folders that git searched for a repository. One that settings moved elsewhere may have been found further up. */
function searched(
  repository: GitRepository | null,
  settings: ReadonlyArray<GitSetting>,
  folder: string,
): ReadonlyArray<string> {
  const isMoved = settings.some(({ key }) => key === 'core.worktree');
  const last = repository === null || isMoved ? '/' : (repository.top ?? '/');
  const folders = [folder];
  for (let at = realOr(folder); ; at = path.dirname(at)) {
    folders.push(at);
    if (at === last || at === path.dirname(at)) return folders;
  }
}

function ownFiles(repository: GitRepository | null): ReadonlyArray<string> {
  if (repository === null) return [];
  const { top, gitDir, commonDir } = repository;
  const inside = ['', 'HEAD', 'commondir', 'gitdir', 'config', 'config.worktree', 'info', 'objects/info', 'refs'];
  return [
    ...(top === null ? [] : [path.join(top, '.git')]),
    ...[gitDir, commonDir].flatMap((folder) => inside.map((name) => path.join(folder, name))),
  ];
}

function sharedIndexes(folder: string): ReadonlyArray<string> {
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith('sharedindex.'));
    return names.map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

function realOr(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
