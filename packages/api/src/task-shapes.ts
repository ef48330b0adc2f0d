import {
  type FieldPlace,
  fieldsFor,
  type NewTaskFields,
  TASK_FIELDS,
  type TaskEditFields,
  type TaskField,
  type TemplateFields,
} from '@attractor/facts';
import { z } from 'zod';
import { givenName } from './given-name.ts';

/** What a body may say of a task, field by field. */
type ShapeOf<Fields> = {
  [Name in keyof Fields]-?: object extends Pick<Fields, Name>
    ? z.ZodExactOptional<z.ZodType<Exclude<Fields[Name], undefined>>>
    : z.ZodType<Fields[Name]>;
};

export function newTaskShape(): ShapeOf<NewTaskFields> {
  return shapeFor('create') as ShapeOf<NewTaskFields>;
}

export function taskEditShape(): ShapeOf<TaskEditFields> {
  return shapeFor('edit') as ShapeOf<TaskEditFields>;
}

export function templateShape(): ShapeOf<TemplateFields> {
  return shapeFor('template') as ShapeOf<TemplateFields>;
}

/** The shape of every field that is valid in this place; only the title of a new task is required. */
export function shapeFor(
  place: FieldPlace,
  fields?: Readonly<Record<string, TaskField>>,
): Readonly<Record<string, z.ZodType>> {
  const shapes = fieldsFor(place, fields).map(([name, field]) => {
    const shape =
      place === 'edit' && field.clearable === true ? valueShape(field, place).nullable() : valueShape(field, place);
    return [name, place === 'create' && field.kind === 'line' ? shape : shape.exactOptional()] as const;
  });
  return Object.fromEntries(shapes);
}

function valueShape(field: TaskField, place: FieldPlace): z.ZodType {
  switch (field.kind) {
    case 'line':
      return place === 'template' ? z.string().max(field.longest) : z.string().trim().min(1).max(field.longest);
    case 'text':
      return z.string().max(field.longest);
    case 'address':
      return z.url({ protocol: /^https?$/ }).max(field.longest);
    case 'name':
      return field.longest === undefined ? z.string().min(1) : z.string().min(1).max(field.longest);
    case 'names':
      return z.array(z.string().min(1)).max(field.most).readonly();
    case 'choice':
      return z.enum(field.choices);
    case 'words':
      return z.array(givenName(field.longest)).max(field.most).readonly();
    case 'criteria': {
      const text = z.string().min(1).max(field.longest);
      const one = place === 'edit' ? z.strictObject({ text, met: z.boolean() }) : text;
      return z.array(one).max(field.most).readonly();
    }
  }
}

/** The parts that a task is split into; whether they fit together is judged where they are made. */
export function subtasksShape() {
  const name = () => givenName(40);
  return z
    .array(
      z.strictObject({
        name: name(),
        title: z.string().trim().min(1).max(TASK_FIELDS.title.longest),
        description: z.string().max(TASK_FIELDS.description.longest).exactOptional(),
        acceptanceCriteria: z
          .array(z.string().min(1).max(TASK_FIELDS.acceptanceCriteria.longest))
          .max(TASK_FIELDS.acceptanceCriteria.most)
          .readonly()
          .exactOptional(),
        dependsOn: z.array(name()).max(100).readonly().exactOptional(),
        pipelineId: z.string().min(1).exactOptional(),
        agentType: z.string().min(1).exactOptional(),
      }),
    )
    .min(1)
    .max(100)
    .readonly();
}
