import { existsSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnCopies } from '@attractor/api';
import { isRecord } from '@attractor/base';
import type { PlatformWorkflow, Project, Result } from '@attractor/platform';
import { copyAddress, makeSample } from '@attractor/repository';

export type CopiesPlace = {
  readonly workflow: Pick<PlatformWorkflow, 'createProject' | 'listProjects'>;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** `close` stops a clone that is being made, and leaves nothing of it. */
export type ClosableCopies = OwnCopies & { readonly close: () => Promise<void> };

/** Repositories below our own home: no person has to make a folder first. */
export function ownCopies({ workflow, home, env }: CopiesPlace): ClosableCopies {
  const stop = new AbortController();
  const going = new Set<Promise<unknown>>();
  const repositories = async () => (await workflow.listProjects()).map(({ path }) => path);
  const machine = { home, env, repositories, signal: stop.signal };
  const projectAt = async (path: string) => {
    const real = existsSync(path) ? realpathSync(path) : path;
    return (await workflow.listProjects()).find((project) => project.path === real);
  };

  const clone: OwnCopies['clone'] = async (wanted, actor) => {
    const cloned = await copyAddress(wanted, machine);
    if (!cloned.ok) {
      const { detail } = cloned.error;
      const known = isRecord(detail) ? await projectAt(String(detail['path'])) : undefined;
      return known === undefined ? cloned : isProject(known);
    }
    const added = await workflow.createProject({ path: cloned.value }, actor);
    if (added.ok) return added;
    await rm(cloned.value, { recursive: true, force: true });
    const message = `The clone can't be a project and was removed: ${added.error.message}`;
    return { ok: false, error: { ...added.error, message } };
  };

  const sample: OwnCopies['sample'] = async (actor) => {
    const made = await makeSample(join(home, 'sample'));
    if (!made.ok) return made;
    const added = await workflow.createProject({ path: made.value, name: 'sample' }, actor);
    const known = added.ok ? undefined : await projectAt(made.value);
    return known === undefined ? added : { ok: true, value: known };
  };

  const tracked = <Value>(work: Promise<Value>): Promise<Value> => {
    going.add(work);
    return work.finally(() => going.delete(work));
  };
  return {
    clone: (wanted, actor) => tracked(clone(wanted, actor)),
    sample: (actor) => tracked(sample(actor)),
    close: async () => {
      stop.abort();
      await Promise.allSettled(going);
    },
  };
}

function isProject(project: Project): Result<never> {
  const message = `${project.path} is a project already: "${project.name}" (${project.key}).`;
  return { ok: false, error: { code: 'conflict', message, detail: { project } } };
}
