import type { PendingToolCall } from '../tools/dispatch.ts';
import { type Todo, todosOf, writtenTodos } from '../tools/todos/todos.ts';
import type { Run } from './run.ts';

type StepEvent = 'TaskCreated' | 'TaskCompleted';

/** Why hooks don't let the model's list of steps be taken, or null. Each new step is told, and each that is done. */
export async function refusedSteps(run: Run, call: Pick<PendingToolCall, 'toolName' | 'args'>): Promise<string | null> {
  const { hooks } = run;
  if (hooks === undefined || !(hooks.has('TaskCreated') || hooks.has('TaskCompleted'))) return null;
  const before = new Map(todosOf(run.view().turns).map(({ content, status }) => [content, status]));
  for (const [index, todo] of (writtenTodos(call) ?? []).entries()) {
    for (const event of eventsOf(todo, before.get(todo.content))) {
      const { block, stop, context } = await hooks.fire(event, {
        task_id: String(index + 1),
        task_subject: todo.content,
        ...(todo.activeForm === undefined ? {} : { task_description: todo.activeForm }),
      });
      if (stop !== null) hooks.stop(stop);
      hooks.tell(event, context);
      const reason = stop ?? block;
      if (reason !== null) return `The list was not taken. A hook objects to "${todo.content}": ${reason}`;
    }
  }
  return null;
}

function eventsOf({ status }: Todo, before: Todo['status'] | undefined): ReadonlyArray<StepEvent> {
  return [
    ...(before === undefined ? ['TaskCreated' as const] : []),
    ...(status === 'completed' && before !== 'completed' ? ['TaskCompleted' as const] : []),
  ];
}
