import { basename } from 'node:path';
import { done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { examineTrust, trustRepository } from '@attractor/settings';
import { readProjectConfig } from '@attractor/project-config';
import {
  type Actor,
  appendEvents,
  findProject,
  findProjectByPath,
  insertProject,
  type Project,
  type ProjectSettings,
  refuse,
  type Result,
  setTrustedConfig,
  type Store,
} from '@attractor/store';
import { defaultBranch, findRemote, openRepository, type Repository, withoutSecret } from '@attractor/repository';
import type { NewProject } from './contract.ts';

export async function createProject(store: Store, input: NewProject, actor: Actor): Promise<Result<Project>> {
  const repository = await openRepository(input.path);
  if (!repository.ok) return repository;
  const { root } = repository.value;
  const branch = input.defaultBranch === undefined ? await defaultBranch(repository.value) : done(input.defaultBranch);
  if (!branch.ok) return branch;
  const wanted: Omit<Project, 'key'> = {
    id: newId('prj'),
    name: input.name?.trim() || basename(root),
    path: root,
    description: input.description ?? '',
    defaultBranch: branch.value,
    trustedConfigHash: null,
    config: await remoteSettings(repository.value),
    createdAt: new Date().toISOString(),
  };
  return store.transact(async (tx) => {
    const existing = await findProjectByPath(tx, root);
    if (existing !== null)
      return refuse('conflict', `${root} is a project already: "${existing.name}" (${existing.key}).`, {
        project: existing,
      });
    const project = await insertProject(tx, wanted);
    await appendEvents(tx, [
      {
        projectId: project.id,
        type: 'project.created',
        summary: `Project ${project.name} was added`,
        data: { project },
        actor,
      },
    ]);
    return done(project);
  });
}

/** So that workers on other machines can find it. */
async function remoteSettings(repository: Repository): Promise<ProjectSettings> {
  const remote = await findRemote(repository);
  return remote === null ? {} : { git: { remoteUrl: withoutSecret(remote.url) } };
}

/**
 * The same trust that `attractor trust grant` gives. Only the current content can be trusted: a hash from before the last change is
 * refused.
 */
export async function trustConfig(
  store: Store,
  trust: { readonly projectId: string; readonly hash: string; readonly home: string },
  actor: Actor,
): Promise<Result<Project>> {
  const known = await findProject(store.read, trust.projectId);
  if (known === null) return refuse('not_found', `There is no project ${trust.projectId}.`);
  const config = readProjectConfig(known.path, trust);
  if (!config.ok) return config;
  if (config.value.hash !== trust.hash)
    return refuse('conflict', 'The configuration changed since it was shown: look at it again before you trust it.', {
      hash: config.value.hash,
    });
  const granted = await trustRepository({ ...examineTrust(known.path, trust), hash: trust.hash }, trust);
  if (!granted.ok)
    return refuse(granted.error.code === 'permission' ? 'unavailable' : granted.error.code, granted.error.message);
  return store.transact(async (tx) => {
    const project = await findProject(tx, trust.projectId);
    if (project === null) return refuse('not_found', `There is no project ${trust.projectId}.`);
    const trusted: Project = { ...project, trustedConfigHash: trust.hash };
    await setTrustedConfig(tx, project.id, trust.hash);
    await appendEvents(tx, [
      {
        projectId: project.id,
        type: 'project.config_trusted',
        summary: 'The configuration of the project was trusted as it is',
        data: { project: trusted },
        actor,
      },
    ]);
    return done(trusted);
  });
}
