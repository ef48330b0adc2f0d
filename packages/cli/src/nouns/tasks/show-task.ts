import { fieldsFor } from '@attractor/facts';
import type { TaskState } from '@attractor/api';
import type { Task } from '@attractor/platform';
import type { Style } from '@attractor/console';
import { facts, moment, table, stateLine, stepLines } from '@attractor/console/lines';

export function taskTable(
  tasks: ReadonlyArray<Task>,
  { style, states }: { readonly style: Style; readonly states: ReadonlyMap<string, TaskState> },
): ReadonlyArray<string> {
  return table(tasks, {
    style,
    none: 'No tasks here: attractor tasks create "…"',
    columns: [
      { head: 'KEY', cell: ({ key }) => key, paint: style.accent },
      { head: 'STATUS', cell: ({ status }) => status },
      { head: 'STATE', cell: ({ id }) => states.get(id)?.label ?? '' },
      { head: 'PRIORITY', cell: ({ priority }) => priority },
      { head: 'PIPELINE', cell: ({ pipelineId }) => pipelineId },
      { head: 'TITLE', cell: ({ title }) => title },
    ],
  });
}

/** What is known besides the task itself; subtasks and criteria are a line for each. */
type Around = {
  readonly state?: TaskState;
  readonly subtasks?: ReadonlyArray<string>;
  readonly criteria?: ReadonlyArray<string>;
};

/** With its state, if that is known: how it stands, why, and what can be done next. */
export function taskLines(
  task: Task,
  style: Style,
  { state, subtasks = [], criteria }: Around = {},
): ReadonlyArray<string> {
  const lines = criteria ?? task.acceptanceCriteria.map(({ text, met }) => `${met ? '[x]' : '[ ]'} ${text}`);
  const shown = facts(
    [
      ['key', task.key],
      ['title', task.title],
      ['state', state === undefined ? '' : stateLine(state)],
      ['because', state?.detail],
      ['status', task.status],
      ['pipeline', `${task.pipelineId} (version ${task.pipelineVersion})`],
      ...shortFacts(task),
      ['parent', task.parentTaskId],
      ['subtasks', subtasks.length === 0 ? '' : `\n${subtasks.join('\n')}`],
      ['source', task.sourceUrl],
      ['project', task.projectId],
      ['created', moment(task.createdAt)],
      ['updated', moment(task.updatedAt)],
      ['description', task.description],
      ['plan', task.plan],
      ['criteria', lines.length === 0 ? '' : `\n${lines.join('\n')}`],
    ],
    style,
  );
  return state === undefined ? shown : [...shown, '', style.bold('Next'), ...stepLines(state.steps, style)];
}

function shortFacts(task: Task): ReadonlyArray<readonly [string, string]> {
  return fieldsFor('edit').flatMap(([name, { label }]) => {
    const value: string | ReadonlyArray<string> | null = Reflect.get(task, name);
    return label === undefined ? [] : [[label, [value ?? ''].flat().join(', ')] as const];
  });
}
