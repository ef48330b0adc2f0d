import { defined } from '@attractor/base';
import type { AgentRun, Task } from '@attractor/platform';
import { CommandFailure, EXIT } from '@attractor/console';
import type { Flag } from '../../verbs/flag.ts';
import { facts, moment, table } from '@attractor/console/lines';
import { sayIfNobodyWorks } from '../../verbs/nobody-works.ts';
import { type Call, type Verb, verb } from '../../verbs/verb.ts';
import { chooseTarget, type MoveIntent } from './choose-target.ts';
import { TASK_ID } from './task-records.ts';

const REASON: Flag = { flag: '--reason <text>', about: 'why, for the history and for the agent' };

const transitions = verb({
  name: 'transitions',
  summary: 'show where a task can go from here, and what blocks the rest',
  arguments: [TASK_ID],
  examples: ['tasks transitions ATT-12', 'tasks transitions ATT-12 --json'],
  call: (call) => call.client.tasks.transitions(call.arg(0)),
  ids: (options) => options.filter(({ allowed }) => allowed).map(({ transition }) => transition.to),
  show: (options, { style }) =>
    table(options, {
      style,
      none: 'No transition leads on from here.',
      columns: [
        { head: 'TO', cell: ({ transition }) => transition.to, paint: style.accent },
        { head: 'WHAT', cell: ({ transition }) => transition.label },
        {
          head: 'POSSIBLE',
          cell: ({ allowed, blockedBy }) =>
            allowed ? 'yes' : `no: ${blockedBy.map(({ guard, reason }) => `${reason} (${guard})`).join(' ')}`,
        },
      ],
    }),
});

const transition = verb({
  name: 'transition',
  alias: 'move',
  summary: 'move a task to a status, as its pipeline allows',
  arguments: [TASK_ID, { name: '<status>', about: 'where to' }],
  flags: [REASON],
  examples: ['tasks transition ATT-12 planning', 'tasks transition ATT-12 open --reason "needs a design first"'],
  call: (call) => move(call, call.arg(1)),
  show: (task) => [movedLine(task)],
});

const history = verb({
  name: 'history',
  summary: 'show how a task came to where it is',
  arguments: [TASK_ID],
  examples: ['tasks history ATT-12'],
  call: (call) => call.client.tasks.history(call.arg(0)),
  ids: (entries) => entries.map(({ transitionId }) => transitionId),
  show: (entries, { style }) =>
    table(entries, {
      style,
      none: 'It has not changed its status yet.',
      columns: [
        { head: 'AT', cell: ({ at }) => moment(at), paint: style.dim },
        { head: 'FROM', cell: ({ from }) => from },
        { head: 'TO', cell: ({ to }) => to },
        { head: 'BY', cell: ({ actor }) => actor.name ?? actor.type },
        { head: 'WHY', cell: ({ reason, trigger }) => reason ?? trigger },
      ],
    }),
});

const reopen = verb({
  name: 'reopen',
  summary: 'take a closed task back to where it was, or any task to an earlier status',
  arguments: [TASK_ID],
  flags: [{ flag: '--to <status>', about: 'a status that it has been in (default: where it was closed)' }, REASON],
  notes: 'Undoes Reject, Cancel and Done. A question that was open there is asked again; no agent is started.',
  examples: ['tasks reopen ATT-12', 'tasks reopen ATT-12 --to open'],
  call: (call) => {
    const [to, reason] = [call.flags.text('to'), call.flags.text('reason')];
    return call.client.tasks.reopen(call.arg(0), defined({ to, reason }));
  },
  show: (task) => [movedLine(task)],
});

const close = verb({
  name: 'close',
  summary: 'end a task without its work, even if that was accepted but not merged',
  arguments: [TASK_ID],
  flags: [REASON],
  notes: 'Its branch stays, and `tasks reopen` undoes this. An agent that works on it is stopped.',
  examples: ['tasks close ATT-12', 'tasks close ATT-12 --reason "solved elsewhere"'],
  call: (call) => call.client.tasks.close(call.arg(0), defined({ reason: call.flags.text('reason') })),
  show: (task) => [movedLine(task)],
});

/** Moves by meaning instead of by name: each pipeline has its own statuses. */
function moveBy(wish: MoveIntent, summary: string): Verb {
  return verb({
    name: wish,
    summary,
    arguments: [TASK_ID],
    flags: [REASON],
    examples: [`tasks ${wish} ATT-12`],
    call: async (call) => move(call, await chooseTarget(call.client, { taskId: call.arg(0), wish })),
    show: (task) => [movedLine(task)],
  });
}

async function move(call: Call, to: string) {
  const reason = call.flags.text('reason');
  const moved = await call.client.tasks.transition(call.arg(0), { to, ...defined({ reason }) });
  if (moved.ok) await sayIfNobodyWorks(call, moved.value.id);
  return moved;
}

function movedLine({ key, status }: Task): string {
  return `${key} is in ${status} now.`;
}

/** Starts an agent along the pipeline: the task moves if the pipeline has a way into this mode, otherwise it stays. */
function startMode(mode: 'plan' | 'implement', summary: string): Verb {
  return verb({
    name: mode,
    summary,
    arguments: [TASK_ID],
    flags: [
      { flag: '--agent <type>', about: 'the kind of agent' },
      { flag: '--provider <id>', about: "the model's provider" },
      { flag: '--model <id>', about: 'the model' },
      { flag: '--max-turns <n>', about: 'at most this many turns', number: true },
    ],
    examples: [`tasks ${mode} ATT-12`, `tasks ${mode} ATT-12 --model claude-sonnet-4-5`],
    call: (call) => call.client.tasks.startRun(call.arg(0), { mode, overrides: overridesOf(call), along: 'pipeline' }),
    show: (run, call) => runLines(run, call),
  });
}

function overridesOf({ flags }: Call) {
  const [agentType, provider, model] = [flags.text('agent'), flags.text('provider'), flags.text('model')];
  const maxTurns = flags.number('maxTurns');
  return {
    ...defined({ agentType, provider, model, maxTurns }),
  };
}

function runLines(run: AgentRun, call: Call): ReadonlyArray<string> {
  if (call.where === 'here') call.say('Queued. A worker will take it: attractor serve, or attractor worker.');
  return facts(
    [
      ['run', run.key],
      ['mode', run.mode],
      ['agent', run.agentType],
      ['status', call.where === 'here' ? 'queued' : run.status],
      ['watch', `attractor runs watch ${run.key}`],
    ],
    call.style,
  );
}

const reorder = verb({
  name: 'reorder',
  summary: 'change the place of a task on the board',
  arguments: [TASK_ID],
  flags: [
    { flag: '--after <id>', about: 'just after this task' },
    { flag: '--top', about: 'before all others' },
  ],
  examples: ['tasks reorder ATT-12 --after ATT-13', 'tasks reorder ATT-12 --top'],
  call: async (call) => call.client.tasks.place(call.arg(0), placeOf(call)),
  show: (task) => [`${task.key} has its new place.`],
});

function placeOf({ flags }: Call): string | null {
  const after = flags.text('after');
  if ((after === undefined) === flags.has('top')) return after ?? null;
  throw new CommandFailure('say where to: --after ID, or --top', EXIT.usage);
}

export const TASK_MOVE_VERBS: ReadonlyArray<Verb> = [
  transitions,
  transition,
  history,
  moveBy('start', 'begin work on a task'),
  moveBy('done', 'mark a task as done'),
  moveBy('cancel', 'cancel a task and stop its agent'),
  close,
  reopen,
  startMode('plan', 'let an agent plan a task'),
  startMode('implement', 'let an agent carry out a task'),
  reorder,
];
