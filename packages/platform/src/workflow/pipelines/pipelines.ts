import { done, isRecord } from '@attractor/base';
import {
  type Actor,
  appendEvents,
  contentHash,
  countTasksOfPipeline,
  deletePipeline as removePipeline,
  findDefaultPipeline,
  findPipeline,
  NO_PROJECT,
  type PipelineDefinition,
  refuse,
  type Result,
  savePipeline as writePipeline,
  setDefaultPipeline as writeDefault,
  type Store,
  type ReportedEvent,
  type Tx,
} from '@attractor/store';
import { BUILT_IN_PIPELINES, readPipelineDefinition } from '@attractor/pipeline';

/** The built-in pipelines, in the versions of this release. What people saved or chose since stays. */
export function saveBuiltInPipelines(store: Store): Promise<Result<null>> {
  return store.transact(async (tx) => {
    for (const pipeline of BUILT_IN_PIPELINES) {
      const chosen = await findDefaultPipeline(tx);
      const isDefault = chosen === null ? pipeline.isDefault : chosen.id === pipeline.id;
      await writePipeline(tx, { ...pipeline, isDefault });
    }
    return done(null);
  });
}

/** The version is the next one after what is stored, whatever the definition says. Saving the same definition again adds none. */
export async function savePipeline(store: Store, value: unknown, actor: Actor): Promise<Result<PipelineDefinition>> {
  const stored = isRecord(value) ? await findPipeline(store.read, String(value['id'])) : null;
  const read = readPipelineDefinition(withVersion(value), stored);
  if (!read.ok) return read;
  return store.transact(async (tx) => {
    const newest = await findPipeline(tx, read.value.id);
    if (newest !== null && sameContent(newest, read.value)) return done(newest);
    const isDefault = newest?.isDefault ?? false;
    const saved = { ...read.value, version: (newest?.version ?? 0) + 1, isDefault };
    await writePipeline(tx, saved);
    await tell(tx, {
      type: 'pipeline.saved',
      summary: `Pipeline ${saved.name} saved as version ${saved.version}`,
      data: { pipeline: saved },
      actor,
    });
    if (!read.value.isDefault || isDefault) return done(saved);
    return makeDefault(tx, saved, actor);
  });
}

export function deletePipeline(store: Store, id: string, actor: Actor): Promise<Result<null>> {
  return store.transact(async (tx) => {
    const pipeline = await findPipeline(tx, id);
    if (pipeline === null) return refuse('not_found', `There is no pipeline "${id}".`);
    if (BUILT_IN_PIPELINES.some((own) => own.id === id))
      return refuse(
        'blocked',
        `"${id}" comes with Attractor and can't be changed or deleted: give a changed copy an id of its own.`,
      );
    const tasks = await countTasksOfPipeline(tx, id);
    if (tasks > 0)
      return refuse(
        'blocked',
        `${tasks} ${tasks === 1 ? 'task uses' : 'tasks use'} the pipeline "${id}": move or delete them first.`,
        { tasks },
      );
    if (pipeline.isDefault)
      return refuse('blocked', `"${id}" is the default pipeline: make another the default first.`);
    await removePipeline(tx, id);
    await tell(tx, {
      type: 'pipeline.deleted',
      summary: `Pipeline ${pipeline.name} deleted`,
      data: { pipelineId: id },
      actor,
    });
    return done(null);
  });
}

export function setDefaultPipeline(store: Store, id: string, actor: Actor): Promise<Result<PipelineDefinition>> {
  return store.transact(async (tx) => {
    const pipeline = await findPipeline(tx, id);
    if (pipeline === null) return refuse('not_found', `There is no pipeline "${id}".`);
    return makeDefault(tx, pipeline, actor);
  });
}

async function makeDefault(tx: Tx, pipeline: PipelineDefinition, actor: Actor): Promise<Result<PipelineDefinition>> {
  await writeDefault(tx, pipeline.id);
  await tell(tx, {
    type: 'pipeline.default_set',
    summary: `New tasks use the pipeline ${pipeline.name}`,
    data: { pipelineId: pipeline.id },
    actor,
  });
  return done({ ...pipeline, isDefault: true });
}

/** An imported definition may omit what we set ourselves. */
function withVersion(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return { isDefault: false, ...value, version: 1 };
}

function sameContent(a: PipelineDefinition, b: PipelineDefinition): boolean {
  const content = ({ version: _version, isDefault: _isDefault, ...rest }: PipelineDefinition) => contentHash(rest);
  return content(a) === content(b);
}

async function tell(
  tx: Tx,
  told: ReportedEvent<'pipeline.saved' | 'pipeline.deleted' | 'pipeline.default_set'> & { readonly actor: Actor },
): Promise<void> {
  await appendEvents(tx, [{ ...told, projectId: NO_PROJECT }]);
}
