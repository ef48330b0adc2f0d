import { defined } from '@attractor/base';
import { type EventQuery, leftOf } from '@attractor/api';
import type { PlatformEvent } from '@attractor/platform';
import { EXIT } from '@attractor/console';
import { eventRow, moreRows, tellLeft, print, valueOf } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import type { Call, Verb } from '../verbs/verb.ts';

const LIST_EVENTS: Verb = {
  name: 'list',
  summary: 'show what happened, the newest last',
  flags: [
    { flag: '--task <id>', about: 'only of this task' },
    { flag: '--run <id>', about: 'only of this run' },
    {
      flag: '--category <names>',
      about:
        'only these, with commas: lifecycle, transition, agent, payload, guard, hook, edit, dependency, note, git, error',
    },
    { flag: '--level <names>', about: 'only these, with commas: debug, info, warning, error' },
    { flag: '--type <names>', about: 'only these, with commas, such as status.changed' },
    {
      flag: '--actor <type>',
      about: 'only by user, agent, system or supervisor',
      choices: ['user', 'agent', 'system', 'supervisor'],
    },
    { flag: '--since <time>', about: 'from this time on (2026-11-15 or 2026-11-15T10:00:00Z)' },
    { flag: '--until <time>', about: 'up to this time' },
    { flag: '--search <words>', about: 'only with these words' },
    { flag: '--after <seq>', about: 'only after this number in the log', number: true },
    { flag: '--limit <n>', about: 'at most so many (default 50, at most 1000)', number: true },
    { flag: '--offset <n>', about: 'skip this many', number: true },
    { flag: '--oldest', about: 'read from the beginning of the log' },
    { flag: '--follow', about: 'keep following until Ctrl-C' },
    { flag: '--all', about: 'of every project' },
  ],
  examples: [
    'events list --level warning,error',
    'events list --task ATT-12 --category transition,git --json',
    'events list --follow --type status.changed',
  ],
  run: list,
};

async function list(call: Call) {
  const query = await eventQuery(call);
  const answer = await call.client.events.page(query);
  const events = valueOf(answer);
  const [left, shown] = [leftOf(answer), events.length];
  if (query.from === 'newest')
    tellLeft(call, {
      left,
      how: `${moreRows(shown, left)}, or --offset ${(query.offset ?? 0) + shown} for what came before`,
    });
  await show(call, events);
  if (query.from === 'oldest' && !call.flags.has('follow'))
    tellLeft(call, { left, how: `${moreRows(shown, left)}, or --after ${events.at(-1)?.seq ?? 0} for the next page` });
  if (events.length === 0 && !call.flags.has('follow')) call.say('Nothing like that is in the log.');
  return call.flags.has('follow') ? follow(call, query, events.at(-1)?.seq ?? 0) : EXIT.done;
}

async function show({ output, style }: Call, events: ReadonlyArray<PlatformEvent>): Promise<void> {
  await print(output, { value: events, lines: () => events.map((event) => eventRow(event, style)) });
}

async function eventQuery({ flags, projectIfAny }: Call): Promise<EventQuery> {
  const [taskId, runId] = [flags.text('task'), flags.text('run')];
  const isNarrow = flags.has('all') || taskId !== undefined || runId !== undefined;
  const projectId = isNarrow ? null : await projectIfAny();
  const given = {
    taskId,
    runId,
    projectId: projectId ?? undefined,
    category: flags.text('category'),
    level: flags.text('level'),
    type: flags.text('type'),
    actorType: flags.text('actor'),
    since: timeOf(flags.text('since'), 'T00:00:00Z'),
    until: timeOf(flags.text('until'), 'T23:59:59.999Z'),
    search: flags.text('search'),
    after: flags.number('after'),
    offset: flags.number('offset'),
    limit: flags.number('limit') ?? 50,
    from: flags.has('oldest') || flags.number('after') !== undefined ? 'oldest' : 'newest',
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function timeOf(given: string | undefined, rest: string): string | undefined {
  return given !== undefined && /^\d{4}-\d\d-\d\d$/.test(given) ? `${given}${rest}` : given;
}

/** The stream selects whose events are wanted; the other filters are applied to each event here. */
async function follow(call: Call, query: EventQuery, shown: number) {
  const [{ catchStop }, { followLog }] = await Promise.all([
    import('@attractor/console'),
    import('../follow/follow-log.ts'),
  ]);
  const stop = catchStop();
  const { taskId, runId, projectId } = query;
  const scope = {
    ...defined({ taskId, runId, projectId }),
  };
  const newest = valueOf(await call.client.events.page({ ...scope, limit: 1, from: 'newest' })).at(-1)?.seq ?? 0;
  const after = query.from === 'oldest' ? shown : Math.max(shown, newest);
  try {
    for await (const frame of followLog({
      client: call.client,
      query: { ...scope, after },
      signal: stop.signal,
      say: call.say,
    }))
      if (frame.kind === 'event' && isWanted(frame.event, query)) await show(call, [frame.event]);
  } finally {
    stop.release();
  }
  return stop.exitCode() === EXIT.terminated ? EXIT.terminated : EXIT.interrupted;
}

function isWanted(event: PlatformEvent, { category, level, type, actorType, search, until }: EventQuery): boolean {
  const isIn = (names: string | undefined, name: string) => names === undefined || names.split(',').includes(name);
  return (
    isIn(category, event.category) &&
    isIn(level, event.level) &&
    isIn(type, event.type) &&
    isIn(actorType, event.actor.type) &&
    (until === undefined || event.at <= until) &&
    (search === undefined || event.summary.toLowerCase().includes(search.toLowerCase()))
  );
}

export const define = noun({
  description: 'The log: everything that happened, with who did it.',
  verbs: [LIST_EVENTS],
});
