import { table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Verb, verb } from '../verbs/verb.ts';

const PHASE_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'list the phases of a task that was split, in their order',
    arguments: [{ name: '<task>', about: "the task's key or id" }],
    examples: ['phases list ATT-12'],
    call: (call) => call.client.tasks.phases(call.arg(0)),
    show: (phases, { style }) =>
      table(phases, {
        style,
        none: 'The task is not split.',
        columns: [
          { head: 'ID', cell: ({ id }) => id, paint: style.accent },
          { head: 'STATUS', cell: ({ status }) => status },
          { head: 'NAME', cell: ({ name }) => name },
          { head: 'ABOUT', cell: ({ description }) => description },
        ],
      }),
  }),
];

export const define = noun({
  description: 'The parts of a task that was split.',
  verbs: PHASE_VERBS,
});
