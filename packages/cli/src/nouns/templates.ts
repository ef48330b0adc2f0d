import { defined } from '@attractor/base';
import type { TaskTemplate } from '@attractor/platform';
import type { TemplateBody } from '@attractor/api';
import type { Style } from '@attractor/console';
import { fieldsOf } from '../verbs/fields.ts';
import type { Flag } from '../verbs/flag.ts';
import { facts, table, valueOf } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { TEMPLATE_FIELD_FLAGS, templateFields } from './tasks/task-flags.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const ID = { name: '<id>', about: 'id or name' };
const ABOUT: Flag = { flag: '--about <text>', about: 'what the template is for' };
const INPUT = 'JSON on stdin instead: {"name", "description"?, "fields": {"title"?, "priority"?, "tags"?: [], …}}';

const TEMPLATE_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'list the templates of tasks',
    examples: ['templates list'],
    call: (call) => call.client.templates.list(),
    show: (templates, { style }) =>
      table(templates, {
        style,
        none: 'No templates yet.',
        columns: [
          { head: 'ID', cell: ({ id }) => id, paint: style.accent },
          { head: 'NAME', cell: ({ name }) => name },
          { head: 'OURS', cell: ({ builtIn }) => (builtIn ? 'yes' : '') },
          { head: 'ABOUT', cell: ({ description }) => description },
        ],
      }),
  }),
  verb({
    name: 'get',
    alias: 'show',
    summary: 'show a template',
    arguments: [ID],
    examples: ['templates get "Bug Fix"'],
    call: (call) => call.client.templates.get(call.arg(0)),
    show: (template, { style }) => templateLines(template, style),
  }),
  verb({
    name: 'create',
    alias: 'add',
    summary: 'make a template',
    arguments: [{ name: '[name]', about: 'its name' }],
    flags: [ABOUT, ...TEMPLATE_FIELD_FLAGS],
    notes: INPUT,
    examples: ['templates create Docs --tag docs --size s', 'templates create < template.json'],
    call: async (call) => {
      const name = call.arg(0) === '' ? undefined : call.arg(0);
      return call.client.templates.save(await fieldsOf<TemplateBody>(call, { name, ...bodyOf(call) }));
    },
    show: (template, { style }) => templateLines(template, style),
  }),
  verb({
    name: 'update',
    alias: 'edit',
    summary: 'change a template; what is not given stays',
    arguments: [ID],
    flags: [{ flag: '--name <text>', about: 'its name' }, ABOUT, ...TEMPLATE_FIELD_FLAGS],
    notes: INPUT,
    examples: ['templates update Docs --priority low'],
    call: updateTemplate,
    show: (template, { style }) => templateLines(template, style),
  }),
  verb({
    name: 'delete',
    alias: 'remove',
    summary: 'remove a template',
    arguments: [ID],
    examples: ['templates delete Docs'],
    call: async (call) => call.client.templates.delete(valueOf(await call.client.templates.get(call.arg(0))).id),
    show: (_, call) => [`Removed ${call.arg(0)}.`],
  }),
];

async function updateTemplate(call: Call) {
  const { id, name, description, fields } = valueOf(await call.client.templates.get(call.arg(0)));
  const said = await fieldsOf<Partial<TemplateBody>>(call, { name: call.flags.text('name'), ...bodyOf(call) });
  return call.client.templates.save({ name, description, ...said, id, fields: { ...fields, ...said.fields } });
}

function bodyOf(call: Call) {
  const fields = defined(templateFields(call));
  const isSilent = Object.keys(fields).length === 0 && call.flags.text('about') === undefined;
  return { description: call.flags.text('about'), fields: isSilent && call.arg(0) === '' ? undefined : fields };
}

function templateLines(template: TaskTemplate, style: Style): ReadonlyArray<string> {
  const { tags, acceptanceCriteria, ...fields } = template.fields;
  return facts(
    [
      ['id', template.id],
      ['name', template.name],
      ['about', template.description],
      ...Object.entries(fields),
      ['tags', tags?.join(', ')],
      ['criteria', acceptanceCriteria === undefined ? '' : `\n${acceptanceCriteria.join('\n')}`],
    ],
    style,
  );
}

export const define = noun({
  description: 'Fields that tasks of a kind begin with.',
  verbs: TEMPLATE_VERBS,
});
