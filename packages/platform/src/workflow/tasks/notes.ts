import { done } from '@attractor/base';
import {
  type Actor,
  appendEvents,
  findTask,
  insertNote,
  refuse,
  type Result,
  type Store,
  type TaskNote,
} from '@attractor/store';

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
    if (text === '') return refuse('invalid', 'The note is empty.');
    if (text.length > MAX_NOTE)
      return refuse('invalid', `A note may have at most ${MAX_NOTE} characters: attach a file instead.`);
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
