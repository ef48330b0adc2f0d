import { type Answer, type ApiClient, failure, keyOf, type Task } from '@attractor/api';
import { holdBack } from '../../undo/hold-back.ts';
import { Button } from '../../ui/button.tsx';

type DeleteTasksProps = { readonly tasks: ReadonlyArray<Task>; readonly onDone: () => void };

/** Removes several tasks, with their runs, questions and files; their branches stay. */
export function DeleteTasks({ tasks, onDone }: DeleteTasksProps) {
  const remove = () => {
    const ids = tasks.map(({ id }) => id);
    const [first] = tasks;
    const what = tasks.length === 1 && first !== undefined ? keyOf(first) : `${tasks.length} tasks`;
    holdBack({ text: `${what} deleted`, ids, send: (by) => deleteAll(by, ids) });
    onDone();
  };
  return (
    <Button kind="danger" onClick={remove}>
      Delete
    </Button>
  );
}

/** So many does the server take at once. */
const AT_ONCE = 1000;

async function deleteAll(by: ApiClient, ids: ReadonlyArray<string>): Promise<Answer<null>> {
  const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) =>
    ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
  const answers = await Promise.all(parts.map((part) => by.tasks.bulkDelete(part)));
  for (const answer of answers) if (!answer.ok) return answer;
  const refused = answers.flatMap((answer) => (answer.ok ? answer.value.refused : []));
  const [first] = refused;
  if (first === undefined) return { ok: true, value: null };
  return { ok: false, error: failure('conflict', `${refused.length} of ${ids.length} refused: ${first.message}`) };
}
