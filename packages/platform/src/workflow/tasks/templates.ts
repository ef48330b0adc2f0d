import { done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import {
  type Actor,
  appendEvents,
  deleteTemplate as removeTemplate,
  findTemplate,
  findTemplateByName,
  idOf,
  listTemplates as readTemplates,
  NO_PROJECT,
  type Reader,
  refuse,
  type Result,
  saveTemplate as writeTemplate,
  type Store,
  type TaskTemplate,
  type TemplateFields,
} from '@attractor/store';
import { BUILT_IN_TEMPLATES } from './built-in-templates.ts';
import { judgeTaskFields } from './task-fields.ts';
import type { NewTemplate } from '../artifacts/contract.ts';

export async function listTemplates(db: Reader): Promise<ReadonlyArray<TaskTemplate>> {
  return [...BUILT_IN_TEMPLATES, ...(await readTemplates(db))];
}

/** By id or name; without one nothing is preset. */
export async function resolveTemplate(db: Reader, wanted: string | undefined): Promise<Result<TemplateFields>> {
  if (wanted === undefined) return done({});
  const all = await listTemplates(db);
  const template = all.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted.toLowerCase());
  if (template !== undefined) return done(template.fields);
  return refuse('not_found', `There is no template "${wanted}"; there are ${all.map(({ name }) => name).join(', ')}.`);
}

export function saveTemplate(store: Store, input: NewTemplate, actor: Actor): Promise<Result<TaskTemplate>> {
  return store.transact(async (tx) => {
    const name = input.name.trim();
    if (name === '') return refuse('invalid', 'A template needs a name.');
    const own = BUILT_IN_TEMPLATES.find(
      ({ id, name: of }) => id === input.id || of.toLowerCase() === name.toLowerCase(),
    );
    if (own !== undefined)
      return refuse(
        'conflict',
        `"${name}" is one of the templates that come with Attractor: save it under another name.`,
        { template: own },
      );
    const unfit = judgeTaskFields(input.fields);
    if (unfit !== null) return unfit;
    if (input.id !== undefined && (await findTemplate(tx, input.id)) === null)
      return refuse('not_found', `There is no template ${input.id}: see "attractor templates list".`);
    const namesake = await findTemplateByName(tx, name);
    if (namesake !== null && namesake.id !== input.id)
      return refuse('conflict', `There is already a template "${name}".`, { template: namesake });
    const template: TaskTemplate = {
      id: input.id === undefined ? newId('tpl') : idOf('tpl', input.id),
      name,
      description: input.description ?? '',
      builtIn: false,
      fields: input.fields,
    };
    await writeTemplate(tx, template);
    await appendEvents(tx, [
      { projectId: NO_PROJECT, type: 'template.saved', summary: `Template saved: ${name}`, data: { template }, actor },
    ]);
    return done(template);
  });
}

export function deleteTemplate(store: Store, id: string, actor: Actor): Promise<Result<null>> {
  return store.transact(async (tx) => {
    if (BUILT_IN_TEMPLATES.some((own) => own.id === id))
      return refuse('blocked', "A template that comes with Attractor can't be deleted.");
    const template = await findTemplate(tx, id);
    if (template === null) return refuse('not_found', `There is no template ${id}: see "attractor templates list".`);
    await removeTemplate(tx, id);
    const summary = `Template deleted: ${template.name}`;
    await appendEvents(tx, [
      { projectId: NO_PROJECT, type: 'template.deleted', summary, data: { templateId: id }, actor },
    ]);
    return done(null);
  });
}
