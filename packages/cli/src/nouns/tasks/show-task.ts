import { fieldsFor } from '@attractor/facts';
import type { Task } from '@attractor/platform';
import type { Style } from '../../terminal/style.ts';
import { facts, moment, table } from '../../verbs/layout.ts';

export function taskTable(tasks: ReadonlyArray<Task>, style: Style): ReadonlyArray<string> {
  return table(tasks, {
    style,
    none: 'No tasks here: attractor tasks create "…"',
    columns: [
      { head: 'ID', cell: ({ id }) => id, paint: style.accent },
      { head: 'STATUS', cell: ({ status }) => status },
      { head: 'PRIORITY', cell: ({ priority }) => priority },
      { head: 'PIPELINE', cell: ({ pipelineId }) => pipelineId },
      { head: 'TITLE', cell: ({ title }) => title },
    ],
  });
}

export function taskLines(task: Task, style: Style): ReadonlyArray<string> {
  const criteria = task.acceptanceCriteria.map(({ text, met }) => `${met ? '[x]' : '[ ]'} ${text}`);
  return facts(
    [
      ['id', task.id],
      ['title', task.title],
      ['status', task.status],
      ['pipeline', `${task.pipelineId} (version ${task.pipelineVersion})`],
      ...shortFacts(task),
      ['parent', task.parentTaskId],
      ['source', task.sourceUrl],
      ['project', task.projectId],
      ['created', moment(task.createdAt)],
      ['updated', moment(task.updatedAt)],
      ['waits for', task.pendingPayload === null ? '' : task.pendingPayload.outcome],
      ['description', task.description],
      ['plan', task.plan],
      ['criteria', criteria.length === 0 ? '' : `\n${criteria.join('\n')}`],
    ],
    style,
  );
}

function shortFacts(task: Task): ReadonlyArray<readonly [string, string]> {
  return fieldsFor('edit').flatMap(([name, { label }]) => {
    const value: string | ReadonlyArray<string> | null = Reflect.get(task, name);
    return label === undefined ? [] : [[label, [value ?? ''].flat().join(', ')] as const];
  });
}
