import { fieldsOf } from '../verbs/fields.ts';
import { moment, table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Verb, verb } from '../verbs/verb.ts';

const TASK = { name: '<task>', about: "the task's key or id" };

const NOTE_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'list the notes of a task',
    arguments: [TASK],
    examples: ['notes list ATT-12'],
    call: (call) => call.client.notes.list(call.arg(0)),
    show: (notes, { style }) =>
      table(notes, {
        style,
        none: 'No notes yet.',
        columns: [
          { head: 'AT', cell: ({ createdAt }) => moment(createdAt), paint: style.dim },
          { head: 'BY', cell: ({ author }) => author.name ?? author.type },
          { head: 'NOTE', cell: ({ text }) => text },
        ],
      }),
  }),
  verb({
    name: 'add',
    alias: 'create',
    summary: 'add a note to a task; agents read it too',
    arguments: [TASK, { name: '[text]', about: 'what to note' }],
    notes: 'JSON on stdin instead of the text: {"text": …}',
    examples: ['notes add ATT-12 "The API changed last week"'],
    call: async (call) => {
      const text = call.arg(1) === '' ? undefined : call.arg(1);
      const body = await fieldsOf<{ readonly text: string }>(call, { text });
      return call.client.notes.add(call.arg(0), body.text);
    },
    show: (note) => [`Noted (${note.id}).`],
  }),
];

export const define = noun({
  description: 'What people and agents noted about a task. Notes are added, never changed.',
  verbs: NOTE_VERBS,
});
