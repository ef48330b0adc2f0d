import { existsSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CopyState, OwnCopies } from '@attractor/api';
import { done, failed, isRecord } from '@attractor/base';
import { randomHex } from '@attractor/base/random';
import type { PlatformWorkflow, Project, Result } from '@attractor/platform';
import { copyAddress, makeSample, readAddress } from '@attractor/repository';

export type CopiesPlace = {
  readonly workflow: Pick<PlatformWorkflow, 'createProject' | 'listProjects'>;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** `close` stops a clone that is being made, and leaves nothing of it. */
export type ClosableCopies = OwnCopies & { readonly close: () => Promise<void> };

/** Repositories below our own home: no person has to make a folder first. */
export function ownCopies({ workflow, home, env }: CopiesPlace): ClosableCopies {
  const going = new Set<Promise<unknown>>();
  const clones = new Map<string, Going>();
  const repositories = async () => (await workflow.listProjects()).map(({ path }) => path);
  const projectAt = async (path: string) => {
    const real = existsSync(path) ? realpathSync(path) : path;
    return (await workflow.listProjects()).find((project) => project.path === real);
  };

  const clone: OwnCopies['clone'] = async (wanted, actor) => {
    const begun = { id: randomHex(8), url: shownAddress(wanted.url), startedAt: new Date().toISOString() };
    const stop = new AbortController();
    const tell = (progress: Pick<CopyState, 'phase' | 'percent'>) =>
      void clones.set(begun.id, { state: { ...begun, ...progress }, stop });
    tell({ phase: 'connecting', percent: null });
    const machine = { home, env, repositories, signal: stop.signal, onProgress: tell };
    const cloned = await copyAddress(wanted, machine).finally(() => clones.delete(begun.id));
    if (!cloned.ok && stop.signal.reason === BY_A_PERSON) return failed(STOPPED);
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
    clones: () => [...clones.values()].map(({ state }) => state),
    stopClone: (id) => {
      const clone = clones.get(id);
      if (clone === undefined) return failed({ code: 'not_found', message: `Nothing is being cloned as ${id}.` });
      clone.stop.abort(BY_A_PERSON);
      return done(null);
    },
    close: async () => {
      for (const { stop } of clones.values()) stop.abort();
      await Promise.allSettled(going);
    },
  };
}

type Going = { readonly state: CopyState; readonly stop: AbortController };

const BY_A_PERSON = 'by a person';

const STOPPED = { code: 'blocked', message: 'The clone was stopped; nothing of it is left.' } as const;

/** The address without its password. Empty if it is no address: the clone is then refused a moment later. */
function shownAddress(url: string): string {
  const address = readAddress(url);
  return address.ok ? address.value.shown : '';
}

function isProject(project: Project): Result<never> {
  const message = `${project.path} is already a project: "${project.name}" (${project.key}).`;
  return { ok: false, error: { code: 'conflict', message, detail: { project } } };
}
