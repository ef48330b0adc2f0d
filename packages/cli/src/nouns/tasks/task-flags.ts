import {
  fieldsFor,
  type FieldPlace,
  isList,
  type NewTaskFields,
  type TaskEditFields,
  type TaskField,
} from '@attractor/facts';
import type { TaskEditBody } from '@attractor/api';
import type { FlagFields } from '../../verbs/fields.ts';
import { type Flag, nameOfFlag } from '../../verbs/flag.ts';
import type { Call } from '../../verbs/verb.ts';

export const NEW_TASK_FLAGS: ReadonlyArray<Flag> = flagsFor('create');

/** What a template may contain. */
export const TEMPLATE_FIELD_FLAGS: ReadonlyArray<Flag> = flagsFor('template');

export const TASK_EDIT_FLAGS: ReadonlyArray<Flag> = [
  ...flagsFor('edit'),
  { flag: '--version <n>', about: 'only if nobody changed it since this version', number: true },
];

export function newTaskFields(call: Call): FlagFields<NewTaskFields> {
  return fieldsSaid(call, 'create');
}

export function templateFields(call: Call): FlagFields<NewTaskFields> {
  return fieldsSaid(call, 'template');
}

export function taskEditFields(call: Call): FlagFields<TaskEditBody> {
  return { ...fieldsSaid(call, 'edit'), version: call.flags.number('version') };
}

/** The flags of the fields that are valid in this place. */
export function flagsFor(place: FieldPlace, fields?: Readonly<Record<string, TaskField>>): ReadonlyArray<Flag> {
  return fieldsFor(place, fields).flatMap(([, field]) => {
    const about = place === 'edit' && field.aboutEdit !== undefined ? field.aboutEdit : field.about;
    if (about === null) return [];
    const choices = field.kind === 'choice' ? { choices: field.choices } : {};
    return [{ flag: field.flag, about, ...choices, ...(isList(field) ? { many: true as const } : {}) }];
  });
}

function fieldsSaid({ flags }: Call, place: FieldPlace): FlagFields<NewTaskFields & TaskEditFields> {
  const said = fieldsFor(place).map(([name, field]) => {
    const flag = nameOfFlag(field.flag);
    const value = isList(field) ? flags.list(flag) : flags.text(flag);
    const isCleared = place === 'edit' && field.kind === 'name' && field.clearable === true && value === 'none';
    return [name, isCleared ? null : value];
  });
  return Object.fromEntries(said);
}
