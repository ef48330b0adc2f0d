import { done } from '@attractor/base';
import {
  type Actor,
  addArtifact as insertArtifact,
  appendEvents,
  type Artifact,
  deleteArtifact,
  findArtifact,
  findArtifactByKey,
  findTask,
  refuse,
  type Result,
  type Store,
  type Tx,
  updateArtifact as writeArtifact,
} from '@attractor/store';
import { ARTIFACT_TYPES, metadataProblem } from './artifact-metadata.ts';
import type { ArtifactEdit, ArtifactInput } from './contract.ts';

const MAX_CONTENT = 1024 * 1024;

export function addArtifact(store: Store, input: ArtifactInput, actor: Actor): Promise<Result<Artifact>> {
  const metadata = input.metadata ?? {};
  return store.transact(async (tx) => {
    const task = await findTask(tx, input.taskId);
    if (task === null) return refuse('not_found', `There is no task ${input.taskId}.`);
    const problem = judge(input, metadata);
    if (problem !== null) return refuse('invalid', problem);
    const key = input.key ?? `${input.type}:${input.label}`;
    const added = await insertArtifact(tx, {
      ...input,
      taskId: task.id,
      runId: null,
      key,
      url: input.url ?? null,
      metadata,
      createdBy: actor.type === 'supervisor' ? 'system' : actor.type,
    });
    if (added === null)
      return refuse('conflict', `The task has an artifact "${key}" already.`, {
        artifact: await findArtifactByKey(tx, task.id, key),
      });
    await tell(tx, added, { projectId: task.projectId, type: addedType(added), actor });
    return done(added);
  });
}

function addedType(artifact: Artifact) {
  if (artifact.type === 'branch') return 'branch.created';
  return artifact.type === 'pull_request' ? 'pr.created' : 'artifact.added';
}

function judge(input: ArtifactInput, metadata: Readonly<Record<string, unknown>>): string | null {
  if (!ARTIFACT_TYPES.includes(input.type))
    return `There is no type of artifact "${input.type}": possible are ${ARTIFACT_TYPES.join(', ')}.`;
  if (input.label.trim() === '') return 'An artifact needs a label.';
  if ((input.content?.length ?? 0) > MAX_CONTENT) return 'The content is too long (at most 1 MiB): attach a file.';
  return metadataProblem(input.type, metadata);
}

export function updateArtifact(
  store: Store,
  id: string,
  change: ArtifactEdit & { readonly actor: Actor },
): Promise<Result<Artifact>> {
  const { actor, ...edit } = change;
  return store.transact(async (tx) => {
    const found = await findWithProject(tx, id);
    if (!found.ok) return found;
    const edited: Artifact = { ...found.value.artifact, ...edit };
    const problem = judge(edited, edited.metadata);
    if (problem !== null) return refuse('invalid', problem);
    await writeArtifact(tx, edited);
    await tell(tx, edited, { projectId: found.value.projectId, type: 'artifact.updated', actor });
    return done(edited);
  });
}

export function removeArtifact(store: Store, id: string, actor: Actor): Promise<Result<null>> {
  return store.transact(async (tx) => {
    const found = await findWithProject(tx, id);
    if (!found.ok) return found;
    const { artifact, projectId } = found.value;
    await deleteArtifact(tx, id);
    await appendEvents(tx, [
      {
        projectId,
        taskId: artifact.taskId,
        type: 'artifact.removed',
        summary: `Removed ${artifact.type}: ${artifact.label}`,
        data: { artifactId: id },
        actor,
      },
    ]);
    return done(null);
  });
}

async function findWithProject(
  tx: Tx,
  id: string,
): Promise<Result<{ readonly artifact: Artifact; readonly projectId: string }>> {
  const artifact = await findArtifact(tx, id);
  const task = artifact === null ? null : await findTask(tx, artifact.taskId);
  if (artifact === null || task === null)
    return refuse('not_found', `There is no artifact ${id}: see "attractor artifacts list TASK".`);
  return done({ artifact, projectId: task.projectId });
}

async function tell(
  tx: Tx,
  artifact: Artifact,
  told: {
    readonly projectId: string;
    readonly type: ReturnType<typeof addedType> | 'artifact.updated';
    readonly actor: Actor;
  },
): Promise<void> {
  await appendEvents(tx, [
    { ...told, taskId: artifact.taskId, summary: `${artifact.type}: ${artifact.label}`, data: { artifact } },
  ]);
}
