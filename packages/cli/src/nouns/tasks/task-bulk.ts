import type { BulkResult } from '@attractor/platform';
import type { BulkUpdateBody } from '@attractor/api';
import { CommandFailure, EXIT, type ExitCode, readableText } from '@attractor/console';
import { fieldsOf } from '../../verbs/fields.ts';
import { type Call, type Verb, verb } from '../../verbs/verb.ts';
import { TASK_EDIT_FLAGS, taskEditFields } from './task-flags.ts';

const IDS = { name: '[ids...]', about: 'the keys or ids of the tasks' };

const update = verb({
  name: 'bulk-update',
  summary: 'change or move many tasks; each succeeds or fails alone',
  arguments: [IDS],
  flags: [
    ...TASK_EDIT_FLAGS.filter(({ flag }) => !flag.startsWith('--version')),
    { flag: '--to <status>', about: 'move them there' },
  ],
  notes: 'JSON on stdin instead: {"taskIds": [], "edit"?: {…}, "to"?}. Exit code 4 if any of them was refused.',
  examples: ['tasks bulk-update ATT-12 ATT-13 --priority low', 'tasks bulk-update ATT-12 ATT-13 --to cancelled'],
  call: async (call) => call.client.tasks.bulkUpdate(await updateBody(call)),
  ids: ({ done }) => done,
  show: resultLines,
  exit: exitOf,
});

const remove = verb({
  name: 'bulk-delete',
  summary: 'delete many tasks; each succeeds or fails alone',
  arguments: [IDS],
  notes: 'JSON on stdin instead: {"taskIds": []}. Exit code 4 if any of them was refused.',
  examples: ['tasks bulk-delete ATT-12 ATT-13'],
  call: async (call) => {
    const { taskIds } = await fieldsOf<{ readonly taskIds: ReadonlyArray<string> }>(call, { taskIds: given(call) });
    return call.client.tasks.bulkDelete(taskIds);
  },
  ids: ({ done }) => done,
  show: resultLines,
  exit: exitOf,
});

async function updateBody(call: Call): Promise<BulkUpdateBody> {
  const { version: _, ...fields } = taskEditFields(call);
  const edit = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const to = call.flags.text('to');
  const taskIds = given(call);
  if (taskIds !== undefined && to === undefined && Object.keys(edit).length === 0)
    throw new CommandFailure('say what to change: a flag such as --priority, or --to STATUS', EXIT.usage);
  return fieldsOf<BulkUpdateBody>(call, { taskIds, to, edit: Object.keys(edit).length === 0 ? undefined : edit });
}

function given(call: Call): ReadonlyArray<string> | undefined {
  const ids = call.rest(0);
  return ids.length === 0 ? undefined : ids;
}

function resultLines({ done, refused }: BulkResult, { style }: Call): ReadonlyArray<string> {
  return [
    `${done.length} done, ${refused.length} refused.`,
    ...refused.map(({ taskId, message }) => readableText(style.named(`${taskId}: ${message}`))),
  ];
}

function exitOf({ refused }: BulkResult): ExitCode {
  return refused.length === 0 ? EXIT.done : EXIT.refused;
}

export const TASK_BULK_VERBS: ReadonlyArray<Verb> = [update, remove];
