import { defined, nearestName } from '@attractor/base';
import type { Answer, Criterion } from '@attractor/api';
import { CommandFailure, EXIT, readableText } from '@attractor/console';
import { table } from '@attractor/console/lines';
import { type Call, type Verb, verb } from '../../verbs/verb.ts';
import { TASK_ID } from './task-records.ts';

const ACTIONS = ['accept', 'deny', 'forget', 'verify'];

const criteria = verb({
  name: 'criteria',
  summary: "show a task's acceptance criteria and their evidence, or decide about one",
  arguments: [
    TASK_ID,
    { name: '[action]', about: 'accept, deny, forget (your decision), or verify (what is claimed)' },
    { name: '[numbers...]', about: 'which criteria' },
  ],
  flags: [{ flag: '--note <text>', about: 'why, for others' }],
  notes: `shown: seen by the server on the last commit. claimed: it could not be verified, and why. refuted: something else was seen.
accepted: a person says so. open: nobody claims it. Agents name checks, files, commands and runs, which are verified again after every run.`,
  examples: [
    'tasks criteria ATT-12',
    'tasks criteria ATT-12 accept 2 --note "Tried it in Safari"',
    'tasks criteria ATT-12 deny 1 3 --note "Not on Windows"',
    'tasks criteria ATT-12 verify',
  ],
  call: decide,
  ids: (all) => all.map(({ number }) => String(number)),
  show: (all, { style }) =>
    table(all, {
      style,
      none: 'The task has no acceptance criteria: attractor tasks create --criterion "…"',
      columns: [
        { head: 'NO', cell: ({ number }) => String(number), paint: style.accent },
        { head: 'STATE', cell: ({ state }) => state },
        { head: 'CRITERION', cell: ({ text }) => readableText(text) },
        { head: 'BECAUSE', cell: ({ detail }) => readableText(detail ?? ''), paint: style.dim },
      ],
    }),
});

const DECISIONS: Readonly<Record<string, boolean | null>> = { accept: true, deny: false, forget: null };

async function decide(call: Call): Promise<Answer<ReadonlyArray<Criterion>>> {
  const { client, flags } = call;
  const [taskId, action] = [call.arg(0), call.arg(1)];
  if (action === '') return client.criteria.list(taskId);
  if (action === 'verify') return client.criteria.verify(taskId);
  const isMet = DECISIONS[action];
  const numbers = call.rest(2).map(Number);
  if (isMet === undefined) {
    const near = nearestName(action, ACTIONS);
    const hint = near === null ? '' : ` (did you mean ${near}?)`;
    throw new CommandFailure(`'${action}' is not one of ${ACTIONS.join(', ')}${hint}`, EXIT.usage);
  }
  if (numbers.length === 0 || numbers.some((number) => !Number.isInteger(number) || number < 1))
    throw new CommandFailure(`${action}: name the criteria by their numbers, such as: ${action} 2`, EXIT.usage);
  const note = flags.text('note');
  let last = await client.criteria.list(taskId);
  for (const number of numbers) {
    last = await client.criteria.mark(taskId, { number, isMet, ...defined({ note }) });
    if (!last.ok) return last;
  }
  return last;
}

export const TASK_CRITERIA_VERBS: ReadonlyArray<Verb> = [criteria];
