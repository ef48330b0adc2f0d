import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '@attractor/console';
import { must, type Row } from '../command-world.ts';

const KEYS = ['id', 'projectId', 'title', 'status', 'pipelineId', 'version'];
const NO_TASK = { args: ['tsk_none'], exit: EXIT.notFound, says: 'no task tsk_none' } as const;

const RECORDS: ReadonlyArray<Row> = [
  {
    command: 'tasks list',
    cases: async ({ task }) => {
      const { id } = await task({ title: 'Findable' });
      return [
        { args: ['--search', 'Findable', '--json'], exit: EXIT.done, keys: KEYS, says: id },
        { args: ['--board', '--limit', '2', '--json'], exit: EXIT.done, keys: KEYS },
        { args: ['--status', 'nosuch'], exit: EXIT.refused, says: 'No pipeline has a status "nosuch"' },
        { args: ['--priority', 'soon'], exit: EXIT.usage, says: 'Allowed choices' },
        { args: ['--limit', '0'], exit: EXIT.refused, says: 'limit' },
      ];
    },
  },
  {
    command: 'tasks get',
    cases: async ({ task }) => [{ args: [(await task()).id, '--json'], exit: EXIT.done, keys: KEYS }, NO_TASK],
  },
  {
    command: 'tasks create',
    cases: async ({ folder }) => {
      const file = join(folder, 'task.md');
      writeFileSync(file, '---\npriority: high\ntags: [parser]\npipeline: simple\n---\n# From a file\n\nAll of it.\n');
      const broken = join(folder, 'broken.md');
      writeFileSync(broken, '---\ntags: [a]\n# Broken\n');
      return [
        { args: ['Said in a sentence', '--tag', 'a', '--tag', 'b', '--json'], exit: EXIT.done, keys: KEYS },
        { args: ['--from-file', file, '--json'], exit: EXIT.done, says: '"title":"From a file"' },
        { args: ['--json'], stdin: '{"title":"From stdin","pipelineId":"simple"}', exit: EXIT.done, keys: KEYS },
        { args: ['--from-file', broken], exit: EXIT.refused, says: 'broken.md:' },
        { args: ['--from-file', join(folder, 'none.md')], exit: EXIT.notFound, says: 'none.md' },
        { args: [], exit: EXIT.usage, says: 'no input' },
        { args: [], stdin: '{"title":"x","nosuch":1}', exit: EXIT.refused, says: 'nosuch' },
        { args: ['-i'], exit: EXIT.usage, says: 'terminal' },
        { args: ['x', '--pipeline', 'nosuch'], exit: EXIT.notFound, says: 'nosuch' },
        { args: ['x', '--project', 'nosuch'], exit: EXIT.notFound, says: 'no project nosuch' },
      ];
    },
  },
  {
    command: 'tasks update',
    cases: async ({ task }) => {
      const { id } = await task();
      return [
        { args: [id, '--priority', 'critical', '--json'], exit: EXIT.done, says: '"priority":"critical"' },
        { args: [id, '--json'], stdin: '{"tags":["x"]}', exit: EXIT.done, keys: KEYS },
        { args: [id, '--title', 'Late', '--version', '0'], exit: EXIT.refused, says: 'changed' },
        { args: [id], stdin: '{"status":"done"}', exit: EXIT.refused, says: 'status' },
        { args: ['tsk_none', '--title', 'x'], exit: EXIT.notFound, says: 'no task' },
      ];
    },
  },
  {
    command: 'tasks delete',
    cases: async ({ task }) => [{ args: [(await task()).id, '--json'], exit: EXIT.done, keys: ['done'] }, NO_TASK],
  },
  {
    command: 'tasks bulk-update',
    cases: async ({ task }) => {
      const [one, other] = [await task(), await task()];
      return [
        { args: [one.id, other.id, '--size', 'xl', '--json'], exit: EXIT.done, keys: ['done', 'refused'] },
        { args: [one.id, 'tsk_none', '--size', 's', '--json'], exit: EXIT.refused },
        { args: [one.id], exit: EXIT.usage, says: 'what to change' },
      ];
    },
  },
  {
    command: 'tasks bulk-delete',
    cases: async ({ task }) => [
      { args: [(await task()).id, (await task()).id, '--json'], exit: EXIT.done, keys: ['done', 'refused'] },
      { args: [], stdin: '{"taskIds":[]}', exit: EXIT.refused, says: 'taskIds' },
    ],
  },
];

const SPLITS: ReadonlyArray<Row> = [
  {
    command: 'tasks split',
    cases: async ({ task, folder }) => {
      const [one, other] = [await task(), await task()];
      const file = join(folder, 'parts.json');
      writeFileSync(file, '[{"name":"a","title":"A"},{"name":"b","title":"B","dependsOn":["a"]}]');
      const broken = join(folder, 'broken.json');
      writeFileSync(broken, '[');
      return [
        { args: [one.id, '--file', file, '--json'], exit: EXIT.done, keys: ['id', 'taskId', 'subtasks', 'mode'] },
        { args: [one.id, '--file', file], exit: EXIT.refused, says: 'already waiting for its subtasks' },
        {
          args: [other.id],
          stdin: '{"subtasks":[{"name":"a","title":"A","dependsOn":["b"]}]}',
          exit: EXIT.refused,
          says: 'depends on "b", which is not among the subtasks',
        },
        { args: [other.id], stdin: '{"subtasks":[{"name":"a"}]}', exit: EXIT.refused, says: 'subtasks.0.title' },
        { args: [other.id, '--file', broken], exit: EXIT.refused, says: 'not valid JSON' },
        { args: [other.id, '--file', join(folder, 'none.json')], exit: EXIT.notFound, says: 'none.json' },
        { args: [other.id], exit: EXIT.usage, says: 'no input' },
        { args: ['tsk_none', '--file', file], exit: EXIT.notFound, says: 'no task' },
      ];
    },
  },
  {
    command: 'tasks tree',
    cases: async ({ task, workflow }) => {
      const { id, projectId } = await task({ title: 'The whole' });
      const made = await workflow.createTask({ projectId, title: 'The part', parentTaskId: id }, { type: 'user' });
      const part = must(made);
      return [
        { args: [id], exit: EXIT.done, says: `└ ${part.key}` },
        { args: ['--json'], exit: EXIT.done, keys: KEYS },
        NO_TASK,
      ];
    },
  },
];

const MOVES: ReadonlyArray<Row> = [
  {
    command: 'tasks transitions',
    cases: async ({ task }) => [
      { args: [(await task()).id, '--json'], exit: EXIT.done, keys: ['transition', 'allowed', 'blockedBy'] },
      NO_TASK,
    ],
  },
  {
    command: 'tasks transition',
    cases: async ({ task, workflow }) => {
      const [one, busy] = [await task(), await task()];
      must(await workflow.transition({ taskId: busy.id, to: 'in_progress' }, { type: 'user' }));
      must(await workflow.startAgent({ taskId: busy.id, mode: 'implement' }, { type: 'user' }));
      return [
        { args: [one.id, 'in_progress', '--json'], exit: EXIT.done, says: '"status":"in_progress"' },
        { args: [one.id, 'nosuch'], exit: EXIT.refused, says: 'has no status "nosuch"; it has open' },
        { args: [busy.id, 'done'], exit: EXIT.refused, says: '(no_running_agent)' },
        { args: ['tsk_none', 'open'], exit: EXIT.notFound, says: 'no task' },
      ];
    },
  },
  {
    command: 'tasks history',
    cases: async ({ task, workflow }) => {
      const { id } = await task();
      must(await workflow.transition({ taskId: id, to: 'in_progress' }, { type: 'user' }));
      return [{ args: [id, '--json'], exit: EXIT.done, keys: ['from', 'to', 'trigger', 'actor', 'at'] }, NO_TASK];
    },
  },
  {
    command: 'tasks start',
    cases: async ({ task }) => {
      const [one, feature] = [await task(), await task({ pipelineId: 'feature' })];
      return [
        { args: [one.id, '--json'], exit: EXIT.done, says: '"in_progress"' },
        { args: [one.id], exit: EXIT.refused, says: 'not possible from "in_progress"' },
        { args: [feature.id, '--json'], exit: EXIT.done, says: '"planning"' },
        NO_TASK,
      ];
    },
  },
  {
    command: 'tasks done',
    cases: async ({ task, workflow }) => {
      const [one, open] = [await task(), await task()];
      must(await workflow.transition({ taskId: one.id, to: 'in_progress' }, { type: 'user' }));
      return [
        { args: [one.id, '--json'], exit: EXIT.done, says: '"done"' },
        { args: [open.id], exit: EXIT.refused, says: 'not possible from "open"' },
      ];
    },
  },
  {
    command: 'tasks cancel',
    cases: async ({ task }) => [
      { args: [(await task()).id, '--reason', 'not needed', '--json'], exit: EXIT.done, says: '"cancelled"' },
      NO_TASK,
    ],
  },
  {
    command: 'tasks close',
    cases: async ({ task, workflow }) => {
      const { id, key } = await task();
      must(await workflow.transition({ taskId: id, to: 'in_progress' }, { type: 'user' }));
      must(await workflow.transition({ taskId: id, to: 'done' }, { type: 'user' }));
      return [
        { args: [key, '--reason', 'not wanted', '--json'], exit: EXIT.done, says: '"status":"cancelled"' },
        { args: [id, '--json'], exit: EXIT.done, says: '"cancelled"' },
        { args: [(await task()).id], exit: EXIT.done, says: 'is in cancelled now' },
        NO_TASK,
      ];
    },
  },
  {
    command: 'tasks reopen',
    cases: async ({ task, workflow }) => {
      const { id } = await task();
      must(await workflow.transition({ taskId: id, to: 'in_progress' }, { type: 'user' }));
      must(await workflow.transition({ taskId: id, to: 'cancelled' }, { type: 'user' }));
      return [
        { args: [id, '--to', 'planning'], exit: EXIT.refused, says: 'It can go back to open, in_progress' },
        { args: [id, '--json'], exit: EXIT.done, keys: ['id', 'status'], says: '"status":"in_progress"' },
        { args: [id, '--to', 'open', '--reason', 'again', '--json'], exit: EXIT.done, says: '"status":"open"' },
        { args: [id], exit: EXIT.done, says: 'in_progress' },
        NO_TASK,
      ];
    },
  },
  {
    command: 'tasks plan',
    cases: async ({ task }) => {
      const { id } = await task();
      return [
        { args: [id, '--json'], exit: EXIT.done, keys: ['id', 'taskId', 'mode', 'status'], says: '"mode":"plan"' },
        { args: [id], exit: EXIT.refused, says: 'already' },
        NO_TASK,
      ];
    },
  },
  {
    command: 'tasks implement',
    cases: async ({ task, workflow }) => {
      const [one, waiting] = [await task({ title: 'First' }), await task({ title: 'Second' })];
      must(await workflow.addDependency({ taskId: waiting.id, dependsOnId: one.id }, { type: 'user' }));
      return [
        { args: [one.id, '--agent', 'natve'], exit: EXIT.refused, says: 'Did you mean "native"?' },
        { args: [one.id, '--max-turns', '3', '--json'], exit: EXIT.done, says: '"mode":"implement"' },
        { args: [waiting.id], exit: EXIT.refused, says: 'depends on "First"' },
      ];
    },
  },
  {
    command: 'tasks reorder',
    cases: async ({ task }) => {
      const [one, other] = [await task(), await task()];
      return [
        { args: [one.id, '--after', other.id, '--json'], exit: EXIT.done, keys: ['sortOrder'] },
        { args: [one.id, '--top', '--json'], exit: EXIT.done, keys: ['sortOrder'] },
        { args: [one.id], exit: EXIT.usage, says: '--after ID, or --top' },
        { args: [one.id, '--after', 'tsk_none'], exit: EXIT.notFound },
      ];
    },
  },
  {
    command: 'tasks run',
    cases: async ({ repository, folder }) => [
      { args: ['--repo', repository, '--title', 'x', '--mode', 'dance'], exit: EXIT.usage, says: 'Allowed choices' },
      { args: ['--title', 'x', '--mode', 'plan'], exit: EXIT.usage, says: '--repo' },
      {
        args: ['--repo', join(folder, 'none'), '--title', 'x', '--mode', 'plan'],
        exit: EXIT.notFound,
        says: 'is not a folder',
      },
      {
        args: ['--repo', repository, '--title', 'x', '--mode', 'plan', '--json'],
        exit: EXIT.unauthorised,
        says: 'no model',
      },
    ],
  },
];

export const TASK_ROWS: ReadonlyArray<Row> = [...RECORDS, ...SPLITS, ...MOVES];
