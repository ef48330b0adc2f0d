import { EXIT } from '@attractor/console';
import { table } from '@attractor/console/lines';
import { oneVerb } from '../verbs/noun.ts';
import { verb } from '../verbs/verb.ts';

const SUPERVISE = verb({
  name: 'supervise',
  summary: 'look once for runs that died or hang, work that waits too long, and what can be cleaned up',
  flags: [{ flag: '--once', about: 'one round (the default; servers and workers do one every minute)' }],
  examples: ['supervise --once', 'supervise --once --json'],
  call: ({ client }) => client.health.supervise(),
  ids: ({ findings }) => findings.map(({ check }) => check),
  show: ({ findings, skipped, problems }, { style }) => [
    ...table(findings, {
      style,
      none: 'All is well.',
      columns: [
        { head: 'CHECK', cell: ({ check }) => check },
        { head: 'TASK', cell: ({ taskId }) => taskId ?? '' },
        { head: 'WHAT', cell: ({ summary }) => summary },
      ],
    }),
    ...(skipped.length === 0 ? [] : [`Left to another process that is doing it: ${skipped.join(', ')}`]),
    ...problems.map((problem) => style.bad(problem)),
  ],
  exit: ({ problems }) => (problems.length === 0 ? EXIT.done : EXIT.failed),
});

export const define = oneVerb(SUPERVISE);
