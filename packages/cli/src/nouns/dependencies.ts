import type { DependencyGraph } from '@attractor/api';
import { readableText } from '@attractor/console';
import { table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Verb, verb } from '../verbs/verb.ts';

const TASK = { name: '<task>', about: "the task's key or id" };
const OTHER = { name: '<other>', about: 'the key or id of the task that must end first' };

const DEPENDENCY_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'show what a task waits for, and what waits for it',
    arguments: [TASK],
    examples: ['deps list ATT-12'],
    call: (call) => call.client.dependencies.list(call.arg(0)),
    ids: ({ dependsOn }) => dependsOn.map(({ id }) => id),
    show: ({ dependsOn, blocks }, { style }) =>
      table(
        [...dependsOn.map((task) => ({ how: 'waits for', task })), ...blocks.map((task) => ({ how: 'blocks', task }))],
        {
          style,
          none: 'It waits for nothing, and nothing waits for it.',
          columns: [
            { head: 'HOW', cell: ({ how }) => how },
            { head: 'KEY', cell: ({ task }) => task.key, paint: style.accent },
            { head: 'STATUS', cell: ({ task }) => task.status },
            { head: 'TITLE', cell: ({ task }) => task.title },
          ],
        },
      ),
  }),
  verb({
    name: 'add',
    summary: 'make a task wait for another; a circle is refused',
    arguments: [TASK, OTHER],
    examples: ['deps add ATT-13 ATT-12'],
    call: (call) => call.client.dependencies.add(call.arg(0), call.arg(1)),
    show: (_, call) => [`${call.given(0)} waits for ${call.given(1)}.`],
  }),
  verb({
    name: 'remove',
    alias: 'delete',
    summary: 'stop a task from waiting for another',
    arguments: [TASK, OTHER],
    examples: ['deps remove ATT-13 ATT-12'],
    call: (call) => call.client.dependencies.remove(call.arg(0), call.arg(1)),
    show: (_, call) => [`${call.given(0)} no longer waits for ${call.given(1)}.`],
  }),
  verb({
    name: 'graph',
    summary: 'draw which tasks wait for which in a project, as a Mermaid graph',
    examples: ['deps graph > deps.mmd', 'deps graph --json'],
    call: async (call) => call.client.dependencies.graph(await call.project()),
    ids: ({ tasks }) => tasks.map(({ id }) => id),
    show: mermaid,
  }),
];

/** An arrow points from what must end first to what waits. */
function mermaid({ tasks, edges }: DependencyGraph): ReadonlyArray<string> {
  const keys = new Map<string, string>(tasks.map(({ id, key }) => [id, key]));
  const node = (id: string) => keys.get(id) ?? id;
  const label = (text: string) => readableText(text).replaceAll('"', '#quot;').replaceAll(/\s+/g, ' ');
  return [
    'graph LR',
    ...tasks.map(({ key, title, status }) => `  ${key}["${key}: ${label(title)} (${label(status)})"]`),
    ...edges.map(({ taskId, dependsOnId }) => `  ${node(dependsOnId)} --> ${node(taskId)}`),
  ];
}

export const define = noun({
  description: 'Which tasks have to wait for others.',
  verbs: DEPENDENCY_VERBS,
});
