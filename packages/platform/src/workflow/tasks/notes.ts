import { done } from '@attractor/base';
import { refuse } from '../refusal.ts';
import { appendEvents } from '../store/events.ts';
import { insertNote } from '../store/notes.ts';
import type { Store } from '../store/store.ts';
import { findTask } from '../store/tasks.ts';
import type { Actor, TaskNote } from '../types/index.ts';
import type { Result } from '../workflow-contract.ts';

const MAX_NOTE = 50_000;

export function addNote(
  store: Store,
  input: { readonly taskId: string; readonly text: string },
  actor: Actor,
): Promise<Result<TaskNote>> {
  return store.transact(async (tx) => {
    const task = await findTask(tx, input.taskId);
    if (task === null) return refuse('not_found', `There is no task ${input.taskId}.`);
    const text = input.text.trim();
    if (text === '') return refuse('invalid', 'A note needs words.');
    if (text.length > MAX_NOTE) return refuse('invalid', `A note has at most ${MAX_NOTE} characters; attach a file.`);
    const note = await insertNote(tx, { taskId: task.id, text, author: actor });
    await appendEvents(tx, [
      {
        projectId: task.projectId,
        taskId: task.id,
        type: 'note.added',
        summary: text.length <= 200 ? text : `${text.slice(0, 199)}…`,
        data: { note },
        actor,
      },
    ]);
    return done(note);
  });
}
