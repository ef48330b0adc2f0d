import { defined } from '@attractor/base';
import { moment, table, moreRows } from '@attractor/console/lines';
import { oneVerb } from '../verbs/noun.ts';
import { type Verb, verb } from '../verbs/verb.ts';

const ACTIVITY: Verb = verb({
  name: 'activity',
  summary: 'show what happened in a project, the newest first',
  flags: [
    { flag: '--limit <n>', about: 'at most so many (default 50)', number: true },
    { flag: '--before <seq>', about: 'only what happened before this number', number: true },
  ],
  examples: ['activity', 'activity --limit 200 --json'],
  call: async (call) => {
    const before = call.flags.number('before');
    const limit = call.flags.number('limit') ?? 50;
    return call.client.projects.activity(await call.project(), { limit, ...defined({ before }) });
  },
  more: (events, left) => ({
    left,
    how: `${moreRows(events.length, left)}, or --before ${events.at(-1)?.seq ?? 0} for the next page`,
  }),
  show: (events, { style }) =>
    table(events, {
      style,
      none: 'Nothing happened yet.',
      columns: [
        { head: 'SEQ', cell: ({ seq }) => String(seq), paint: style.dim },
        { head: 'AT', cell: ({ at }) => moment(at), paint: style.dim },
        { head: 'TASK', cell: ({ taskId }) => taskId ?? '', paint: style.accent },
        { head: 'BY', cell: ({ actor }) => actor.name ?? actor.type },
        { head: 'WHAT', cell: ({ summary }) => summary },
      ],
    }),
});

export const define = oneVerb(ACTIVITY);
