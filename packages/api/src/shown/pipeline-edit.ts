import type { PipelineDefinition, PipelineStatus } from '@attractor/platform';

type Transition = PipelineDefinition['transitions'][number];

/** The parts that a form can change; everything else of the text stays as it is. */
export type EditedPipeline = Pick<PipelineDefinition, 'name' | 'statuses' | 'transitions' | 'initialStatus'> &
  Partial<Pick<PipelineDefinition, 'id' | 'terminalStatuses'>>;

/** Null: the text is no pipeline that a form could show. */
export function readEdited(text: string): EditedPipeline | null {
  try {
    const read: unknown = JSON.parse(text);
    return isEdited(read) ? read : null;
  } catch {
    return null;
  }
}

function isEdited(value: unknown): value is EditedPipeline {
  if (!hasTexts(value, ['name'])) return false;
  return (
    isRows(value['statuses'], ['id', 'label', 'category']) &&
    isRows(value['transitions'], ['id', 'label', 'from', 'to'])
  );
}

function hasTexts(value: unknown, names: ReadonlyArray<string>): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return names.every((name) => typeof fields[name] === 'string');
}

/** Each with its texts and an id of its own: a field of the form belongs to one row. */
function isRows(value: unknown, names: ReadonlyArray<string>): boolean {
  if (!Array.isArray(value) || !value.every((row) => hasTexts(row, names))) return false;
  return new Set(value.map((row) => row['id'])).size === value.length;
}

export function withStatus(pipeline: EditedPipeline, id: string, edit: Partial<PipelineStatus>): EditedPipeline {
  const statuses = pipeline.statuses.map((status) => (status.id === id ? { ...status, ...edit } : status));
  return { ...pipeline, statuses };
}

/** With it go the transitions that led there or away: a pipeline with loose ends is none. */
export function withoutStatus(pipeline: EditedPipeline, id: string): EditedPipeline {
  return {
    ...pipeline,
    statuses: pipeline.statuses.filter((status) => status.id !== id),
    transitions: pipeline.transitions.filter(({ from, to }) => from !== id && to !== id),
    ...(pipeline.terminalStatuses === undefined
      ? {}
      : { terminalStatuses: pipeline.terminalStatuses.filter((one) => one !== id) }),
  };
}

export function withNewStatus(pipeline: EditedPipeline): EditedPipeline {
  const taken = pipeline.statuses.map(({ id }) => id);
  const position = Math.max(0, ...pipeline.statuses.map((status) => status.position)) + 1;
  const status: PipelineStatus = {
    id: freeName('status', taken),
    label: 'New status',
    color: 'blue',
    category: 'active',
    position,
  };
  return { ...pipeline, statuses: [...pipeline.statuses, status] };
}

export function withTransition(pipeline: EditedPipeline, id: string, edit: Partial<Transition>): EditedPipeline {
  return { ...pipeline, transitions: pipeline.transitions.map((one) => (one.id === id ? { ...one, ...edit } : one)) };
}

export function withoutTransition(pipeline: EditedPipeline, id: string): EditedPipeline {
  return { ...pipeline, transitions: pipeline.transitions.filter((one) => one.id !== id) };
}

export function withNewTransition(pipeline: EditedPipeline): EditedPipeline {
  const [first, second] = pipeline.statuses;
  if (first === undefined) return pipeline;
  const transition: Transition = {
    id: freeName(
      'transition',
      pipeline.transitions.map(({ id }) => id),
    ),
    from: first.id,
    to: (second ?? first).id,
    label: 'New transition',
    trigger: { type: 'manual' },
  };
  return { ...pipeline, transitions: [...pipeline.transitions, transition] };
}

/** `own`, or `own-2`, `own-3`: what is new never becomes a version of something else. */
export function freeId(id: string, taken: ReadonlyArray<string>): string {
  if (!taken.includes(id)) return id;
  for (let number = 2; ; number += 1) if (!taken.includes(`${id}-${number}`)) return `${id}-${number}`;
}

function freeName(stem: string, taken: ReadonlyArray<string>): string {
  for (let number = taken.length + 1; ; number += 1)
    if (!taken.includes(`${stem}_${number}`)) return `${stem}_${number}`;
}
