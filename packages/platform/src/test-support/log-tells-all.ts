import { expect } from 'vitest';
import { isRecord } from '@attractor/base';
import type { Platform } from '../platform.ts';
import { EVENT_TYPES } from '@attractor/store';

/** A reader of the log alone must know what the tables hold: the last event about each thing equals the thing itself. */
export async function expectLogTellsAll({ workflow }: Platform): Promise<void> {
  const told: Record<string, Map<string, unknown>> = {
    project: new Map(),
    task: new Map(),
    run: new Map(),
    prompt: new Map(),
    artifact: new Map(),
  };
  const events = await workflow.events({ limit: 1_000_000 });
  for (const { data, type, category } of events) {
    expect({ type, category }).toEqual({ type, category: Reflect.get(EVENT_TYPES, type)?.category });
    if ('artifactId' in data) told['artifact']?.delete(data.artifactId);
    for (const [noun, things] of Object.entries(told)) {
      const thing: unknown = Reflect.get(data, noun);
      if (typeof thing === 'object' && thing !== null && 'id' in thing) things.set(String(thing.id), thing);
    }
  }
  const tasks = await workflow.listTasks({ limit: 100_000 });
  const artifacts = await Promise.all(tasks.map(({ id }) => workflow.listArtifacts(id)));
  const stored = {
    project: await workflow.listProjects(),
    task: tasks,
    run: await workflow.listRuns({}),
    prompt: await workflow.listPrompts(),
    artifact: artifacts.flat(),
  };
  for (const [noun, things] of Object.entries(stored)) {
    expect({ noun, things: byId(things) }).toEqual({ noun, things: byId([...(told[noun]?.values() ?? [])]) });
  }
}

function byId(things: ReadonlyArray<unknown>): ReadonlyArray<unknown> {
  return things
    .map((thing) => JSON.stringify(thing, sortedKeys))
    .toSorted()
    .map((text) => JSON.parse(text) as unknown);
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
