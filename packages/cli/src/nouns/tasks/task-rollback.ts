import { defined } from '@attractor/base';
import { CommandFailure, EXIT, readableText } from '@attractor/console';
import { table } from '@attractor/console/lines';
import { type Call, type Verb, verb } from '../../verbs/verb.ts';
import { TASK_ID } from './task-records.ts';

/** Verbs that list and undo what a task changed, before and after it was merged. */
export const TASK_ROLLBACK_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'changes',
    summary: 'list what a task changed, step by step',
    arguments: [TASK_ID],
    examples: ['tasks changes ATT-12', 'tasks changes ATT-12 --json'],
    call: ({ client, arg }) => client.branches.changes(arg(0)),
    ids: ({ steps }) => steps.map(({ commit }) => commit),
    show: ({ steps }, { style }) =>
      table(steps, {
        style,
        none: 'It changed nothing.',
        columns: [
          { head: 'STEP', cell: ({ step }) => String(step) },
          { head: 'COMMIT', cell: ({ commit }) => commit.slice(0, 8), paint: style.dim },
          { head: 'RUN', cell: ({ runId }) => runId ?? '', paint: style.dim },
          { head: 'WHAT', cell: ({ title }) => title },
          {
            head: 'FILES',
            cell: ({ files }) =>
              files.map(({ path, additions, deletions }) => `${path} +${additions} -${deletions}`).join(', '),
          },
        ],
      }),
  }),
  verb({
    name: 'rollback',
    summary: 'undo work of a task by a new commit: all of it, a step, or some files',
    arguments: [TASK_ID],
    flags: [
      { flag: '--all', about: 'everything that the task changed' },
      { flag: '--step <n>', about: 'one step, by its number in "tasks changes"', number: true },
      { flag: '--file <path>', about: 'only this file', many: true },
    ],
    notes:
      'On the branch of the task or, once the base has the work, on the base. Nothing is rewritten, and later work stays; if the same\nlines have changed again, nothing is done.',
    examples: ['tasks rollback ATT-12 --all', 'tasks rollback ATT-12 --step 2', 'tasks rollback ATT-12 --file a.txt'],
    busy: ({ arg, given }) => ({ doing: `undoing work of ${given(0)}`, of: { taskId: arg(0) } }),
    call: ({ client, arg, flags }) => client.branches.rollBack(arg(0), wantedOf(flags)),
    ids: ({ commit }) => (commit === null ? [] : [commit]),
    show: ({ branch, label, commit }) => [
      `Undone on ${readableText(branch)}: ${readableText(label)}${commit === null ? '' : ` (${commit.slice(0, 12)})`}`,
    ],
  }),
];

function wantedOf(flags: Call['flags']) {
  const [step, files] = [flags.number('step'), flags.list('file')];
  if (flags.has('all') === (step !== undefined || files !== undefined))
    throw new CommandFailure('say what to undo: --all, or --step N, or --file PATH', EXIT.usage);
  return defined({ step, files });
}
