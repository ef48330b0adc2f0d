import { defined } from '@attractor/base';
import { moment, table } from '@attractor/console/lines';
import { oneVerb } from '../verbs/noun.ts';
import { type Verb, verb } from '../verbs/verb.ts';

const AUDIT: Verb = verb({
  name: 'audit',
  summary: 'show who did what, the newest first: changes, answers, sign-ins, users and keys',
  flags: [
    { flag: '--person <name>', about: 'only of this user, or of `owner`' },
    { flag: '--act <type>', about: 'only this, such as prompt.answered or user.signed_in' },
    { flag: '--since <time>', about: 'an ISO time such as 2026-11-16T08:00:00Z' },
    { flag: '--until <time>', about: 'an ISO time' },
    { flag: '--limit <n>', about: 'at most so many (default 50)', number: true },
  ],
  notes: 'Of all projects, or of one with --project. Entries are never removed: they stay when their task is deleted.',
  examples: ['audit', 'audit --person ada --act prompt.answered', 'audit --since 2026-11-16T00:00:00Z --json'],
  call: async ({ client, flags, projectNamed }) => {
    const project = flags.text('project');
    const projectId = project && (await projectNamed(project));
    const [person, act, since, until] = ['person', 'act', 'since', 'until'].map((name) => flags.text(name));
    const limit = flags.number('limit') ?? 50;
    return client.audit.list({ limit, ...defined({ person, act, since, until, projectId }) });
  },
  show: (entries, { style }) =>
    table(entries, {
      style,
      none: 'Nobody has done anything like that yet.',
      columns: [
        { head: 'AT', cell: ({ at }) => moment(at), paint: style.dim },
        { head: 'WHO', cell: ({ person }) => person, paint: style.accent },
        { head: 'BY', cell: ({ via, apiKey }) => [via, apiKey].filter((part) => part !== null).join(' ') },
        { head: 'ACT', cell: ({ act }) => act },
        { head: 'TASK', cell: ({ taskId }) => taskId ?? '', paint: style.dim },
        { head: 'WHAT', cell: ({ summary }) => summary },
      ],
    }),
});

export const define = oneVerb(AUDIT);
