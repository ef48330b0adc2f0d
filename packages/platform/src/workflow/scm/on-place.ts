import {
  findPlace,
  type OfTask,
  openProjectGit,
  type Outbox,
  type ProjectGit,
  type ScmServices,
  type TaskPlace,
} from '@attractor/repository';
import { type Actor, type Effect, type EffectWork, putEffect, refuse, type Result } from '@attractor/store';

export type ScmOptions = ScmServices & { readonly outbox: Outbox; readonly defaultAgentType: string };

/** Runs with the place of a task and its repository on this machine. */
export async function onPlace<Value>(
  options: ScmOptions,
  of: OfTask,
  work: (git: ProjectGit, place: TaskPlace) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const place = await findPlace(options.store.read, of);
  if (!place.ok) return place;
  const opened = await openProjectGit(options, place.value.project);
  return opened.ok ? work(opened.value, place.value) : opened;
}

type Asked = {
  readonly actor: Actor;
  readonly effects: ReadonlyArray<{ readonly key: string; readonly work: EffectWork }>;
};

export async function putAndSettle(
  options: ScmOptions,
  { task }: TaskPlace,
  asked: Asked,
): Promise<ReadonlyArray<Effect>> {
  const ids = await options.store.transact(async (tx) => {
    const put: string[] = [];
    for (const { key, work } of asked.effects) {
      const needs = put.at(-1) ?? null;
      put.push(
        await putEffect(tx, { projectId: task.projectId, taskId: task.id, key, work, needs, actor: asked.actor }),
      );
    }
    return put;
  });
  return options.outbox.settle(ids);
}

export function refusalOf(effects: ReadonlyArray<Effect>): ReturnType<typeof refuse> | null {
  const open = effects.find(({ state }) => state !== 'done');
  if (open === undefined) return null;
  if (open.state === 'failed') return refuse('blocked', open.error ?? 'It failed.', { effect: open });
  return refuse('unavailable', `${open.error ?? 'It takes long.'} It continues by itself.`, { effect: open });
}
