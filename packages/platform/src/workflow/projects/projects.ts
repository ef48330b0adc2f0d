import { existsSync, statSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { examineTrust, revokeTrust, trustRepository } from '@attractor/settings';
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
  const unfit = whyNoFolder(input.path);
  if (unfit !== null) return refuse('invalid', unfit);
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
      return refuse('conflict', `${root} is already a project: "${existing.name}" (${existing.key}).`, {
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

/** A folder that is new here was never moved: what was written is wrong. */
function whyNoFolder(path: string): string | null {
  if (/^\w+:\/\/|^[\w.-]+@[\w.-]+:/.test(path))
    return 'That is an address, not a folder: clone it ("attractor projects clone").';
  if (!isAbsolute(path)) return `Write the whole path of the folder, from / on: "${path}" does not begin there.`;
  if (!existsSync(path)) return `There is no folder ${path} on this machine.`;
  return statSync(path).isDirectory() ? null : `${path} is a file: give the folder of a git repository.`;
}

/** So that workers on other machines can find it. */
async function remoteSettings(repository: Repository): Promise<ProjectSettings> {
  const remote = await findRemote(repository);
  return remote === null ? {} : { git: { remoteUrl: withoutSecret(remote.url) } };
}

/**
 * The same trust that `attractor trust grant` gives and, without a hash, `attractor trust revoke` takes back. Only the current content can
 * be trusted: a hash from before the last change is refused.
 */
export async function trustConfig(
  store: Store,
  trust: { readonly projectId: string; readonly hash: string | null; readonly home: string },
  actor: Actor,
): Promise<Result<Project>> {
  const known = await findProject(store.read, trust.projectId);
  if (known === null) return refuse('not_found', `There is no project ${trust.projectId}.`);
  const { hash } = trust;
  const changed = hash === null ? null : changedSince(known.path, { ...trust, hash });
  if (changed !== null) return changed;
  const granted = await (hash === null
    ? revokeTrust(known.path, trust)
    : trustRepository({ ...examineTrust(known.path, trust), hash }, trust));
  if (!granted.ok)
    return refuse(granted.error.code === 'permission' ? 'unavailable' : granted.error.code, granted.error.message);
  return store.transact(async (tx) => {
    const project = await findProject(tx, trust.projectId);
    if (project === null) return refuse('not_found', `There is no project ${trust.projectId}.`);
    const judged: Project = { ...project, trustedConfigHash: hash };
    await setTrustedConfig(tx, project.id, hash);
    const [type, summary] =
      hash === null
        ? (['project.updated', 'The configuration of the project is no longer trusted'] as const)
        : (['project.config_trusted', 'The configuration of the project is trusted as it is now'] as const);
    const data = { project: judged, ...(hash === null ? { fields: ['trustedConfigHash'] } : {}) };
    await appendEvents(tx, [{ projectId: project.id, type, summary, data, actor }]);
    return done(judged);
  });
}

function changedSince(path: string, trust: { readonly hash: string; readonly home: string }) {
  const config = readProjectConfig(path, trust);
  if (!config.ok) return config;
  const now = config.value.hash;
  const message = 'The configuration changed since it was shown: look at it again before you trust it.';
  return now === trust.hash ? null : refuse('conflict', message, { hash: now });
}
