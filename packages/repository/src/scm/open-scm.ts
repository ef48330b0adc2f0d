import type { GitPerson } from '@attractor/git';
import type { Project, Store } from '@attractor/store';
import type { Repository } from '../git/repository.ts';
import { createGhScm } from './gh.ts';
import { findGh, ghVariables } from './gh-program.ts';
import { githubSlug } from './github-slug.ts';
import { createLocalScm } from './local.ts';
import { personRemoteOptions, type RemoteOptions } from '../git/person-git.ts';
import { findRemote, type Remote } from '../git/remote.ts';
import { reachedHere } from '../worktrees/project-checkout.ts';
import type { Availability, RepositoryInfo, Scm } from './scm.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';
import { openRepository } from '../git/open-repository.ts';

/** What is needed to reach any project's forge; the same for the whole process. */
export type ScmServices = {
  readonly store: Store;
  readonly home: string;
  /** The machine's whole environment; each program gets its named part of it. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly author: GitPerson;
};

/** A project's repository as it can be reached from here. */
export type ProjectGit = {
  readonly project: Project;
  readonly repository: Repository;
  readonly remote: Remote | null;
  readonly talk: RemoteOptions;
};

export async function openProjectGit(services: ScmServices, project: Project): Promise<ScmResult<ProjectGit>> {
  // A machine that has no other checkout works in a clone of its own.
  const { path, config } = (await reachedHere(project, services.home)) ?? project;
  const repository = await openRepository(path, config);
  if (!repository.ok) return fail(repository.error.code, repository.error.message);
  const remote = await findRemote(repository.value);
  const talk = remote === null ? {} : await personRemoteOptions(services.hostEnv, repository.value.root);
  return { ok: true, value: { project, repository: repository.value, remote, talk } };
}

/** GitHub through `gh` if the remote is there and `gh` is logged in, otherwise our own records. The project's `git.scm` overrides this. */
export async function openScm(services: ScmServices, on: ProjectGit, wanted?: Scm['type']): Promise<ScmResult<Scm>> {
  const local = createLocalScm({ ...on, store: services.store, author: services.author });
  const choice = wanted ?? on.project.config.git?.scm;
  if (choice === 'local') return { ok: true, value: local };
  const gh = openGh(services, on);
  if (!gh.ok) return choice === 'gh' ? gh : { ok: true, value: local };
  if (choice === 'gh') return gh;
  const { available } = await gh.value.isAvailable();
  return available ? gh : { ok: true, value: local };
}

function openGh({ home, hostEnv }: ScmServices, { repository, remote }: ProjectGit): ScmResult<Scm> {
  const slug = remote === null ? null : githubSlug(remote.url, hostEnv['GH_HOST']);
  if (slug === null)
    return fail('unavailable', `${repository.root} has no remote on GitHub: add one, or import by hand.`);
  const program = findGh(hostEnv['PATH'] ?? '', repository.root);
  if (program === null) return fail('unavailable', 'The program gh was not found: install it and run "gh auth login".');
  return { ok: true, value: createGhScm({ program, env: ghVariables(hostEnv), cwd: home, repository: slug }) };
}

/** Where the pull requests of a project are, and whether this machine reaches it. */
export type ForgeInfo = {
  readonly type: Scm['type'];
  readonly availability: Availability;
  readonly repository: RepositoryInfo | null;
};

export async function readForge(services: ScmServices, project: ProjectGit): Promise<ScmResult<ForgeInfo>> {
  const scm = await openScm(services, project);
  if (!scm.ok) return scm;
  const [availability, info] = [await scm.value.isAvailable(), await scm.value.getRepoInfo()];
  return { ok: true, value: { type: scm.value.type, availability, repository: info.ok ? info.value : null } };
}
