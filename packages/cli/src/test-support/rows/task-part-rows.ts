import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '@attractor/console';
import { makeRepository, must, type Row } from '../command-world.ts';

const PERSON = { type: 'user' } as const;
const NO_TASK = { args: ['tsk_none'], exit: EXIT.notFound, says: 'no task tsk_none' } as const;

const NOTES: ReadonlyArray<Row> = [
  {
    command: 'notes list',
    cases: async ({ task, workflow }) => {
      const { id } = await task();
      must(await workflow.addNote({ taskId: id, text: 'Seen' }, PERSON));
      return [{ args: [id, '--json'], exit: EXIT.done, keys: ['id', 'text', 'author'] }, NO_TASK];
    },
  },
  {
    command: 'notes add',
    cases: async ({ task }) => {
      const { id } = await task();
      return [
        { args: [id, 'The API changed', '--json'], exit: EXIT.done, keys: ['id', 'text'] },
        { args: [id], stdin: '{"text":""}', exit: EXIT.refused, says: 'text' },
        { args: ['tsk_none', 'x'], exit: EXIT.notFound, says: 'no task' },
      ];
    },
  },
];

const MESSAGES: ReadonlyArray<Row> = [
  {
    command: 'tasks criteria',
    cases: async ({ task, workflow }) => {
      const { id } = await task();
      const acceptanceCriteria = ['a', 'b'].map((text) => ({ text, met: false }));
      must(await workflow.updateTask({ taskId: id, edit: { acceptanceCriteria } }, PERSON));
      return [
        { args: [id, '--json'], exit: EXIT.done, keys: ['number', 'text', 'state', 'detail', 'mark', 'claim'] },
        { args: [id, 'accept', '2', '--note', 'Read it'], exit: EXIT.done, says: 'Read it' },
        { args: [id, 'deny', '1', '2', '--json'], exit: EXIT.done, says: '"state":"open"' },
        { args: [id, 'forget', '2'], exit: EXIT.done, says: 'open' },
        { args: [id, 'accept', '3'], exit: EXIT.notFound, says: 'no criterion 3; it has 1, 2' },
        { args: [id, 'accept'], exit: EXIT.usage, says: 'by their numbers' },
        {
          args: [id, 'accpet', '1'],
          exit: EXIT.usage,
          says: 'not one of accept, deny, forget, verify (did you mean accept?)',
        },
        { args: [id, 'verify'], exit: EXIT.notFound, says: 'nothing to verify' },
        NO_TASK,
      ];
    },
  },
  {
    command: 'tasks message',
    cases: async ({ task }) => {
      const { id } = await task();
      return [
        { args: [id, 'Use the old parser', '--json'], exit: EXIT.done, says: '"delivery":"next_run"' },
        { args: [id, 'Now', '--interrupt'], exit: EXIT.refused, says: 'nothing to interrupt' },
        { args: [id], stdin: '{"text":""}', exit: EXIT.refused, says: 'text' },
        { args: ['tsk_none', 'x'], exit: EXIT.notFound, says: 'no task' },
      ];
    },
  },
  {
    command: 'tasks messages',
    cases: async ({ task, workflow }) => {
      const { id } = await task();
      must(await workflow.sendMessage({ taskId: id, text: 'Hello' }, PERSON));
      return [{ args: [id, '--json'], exit: EXIT.done, keys: ['id', 'text', 'deliveredAt'] }, NO_TASK];
    },
  },
  {
    command: 'tasks settings',
    cases: async ({ task }) => {
      const { id } = await task();
      return [
        { args: [id, '--permission-mode', 'plan', '--json'], exit: EXIT.done, says: '"permissionMode":"plan"' },
        { args: [id], exit: EXIT.done, says: 'as configured' },
        { args: [id, '--effort', 'utmost'], exit: EXIT.usage, says: 'utmost' },
        NO_TASK,
      ];
    },
  },
];

const DEPENDENCIES: ReadonlyArray<Row> = [
  {
    command: 'deps list',
    cases: async ({ task }) => [
      { args: [(await task()).id, '--json'], exit: EXIT.done, keys: ['dependsOn', 'blocks'] },
      NO_TASK,
    ],
  },
  {
    command: 'deps add',
    cases: async ({ task }) => {
      const [one, other] = [await task({ title: 'One' }), await task({ title: 'Other' })];
      return [
        { args: [one.id, other.id, '--json'], exit: EXIT.done, keys: ['done'] },
        { args: [other.id, one.id], exit: EXIT.refused, says: 'would be a circle: "Other"' },
        { args: [one.id, 'tsk_none'], exit: EXIT.notFound, says: 'no task tsk_none' },
      ];
    },
  },
  {
    command: 'deps remove',
    cases: async ({ task, workflow }) => {
      const [one, other] = [await task(), await task()];
      must(await workflow.addDependency({ taskId: one.id, dependsOnId: other.id }, PERSON));
      return [
        { args: [one.id, other.id, '--json'], exit: EXIT.done, keys: ['done'] },
        { args: [one.id, other.id], exit: EXIT.notFound, says: 'does not depend on' },
      ];
    },
  },
  {
    command: 'deps graph',
    cases: async () => [
      { args: ['--json'], exit: EXIT.done, keys: ['tasks', 'edges'] },
      { args: [], exit: EXIT.done, says: 'graph LR' },
      { args: ['--project', 'nosuch'], exit: EXIT.notFound, says: 'no project' },
    ],
  },
];

const ATTACHMENTS: ReadonlyArray<Row> = [
  {
    command: 'attachments list',
    cases: async ({ task, workflow }) => {
      const { id } = await task();
      must(await workflow.addAttachment({ taskId: id, name: 'a.txt', content: Buffer.from('a') }, PERSON));
      return [{ args: [id, '--json'], exit: EXIT.done, keys: ['id', 'name', 'size', 'sha256'] }, NO_TASK];
    },
  },
  {
    command: 'attachments add',
    cases: async ({ task, folder }) => {
      const { id } = await task();
      const file = join(folder, 'shot.png');
      writeFileSync(file, 'not really a picture');
      return [
        {
          args: [id, file, '--type', 'image/png', '--json'],
          exit: EXIT.done,
          keys: ['id', 'size'],
          says: '"shot.png"',
        },
        { args: [id, join(folder, 'none.png')], exit: EXIT.notFound, says: 'none.png' },
        { args: [id, file, '--type', 'nonsense'], exit: EXIT.refused, says: 'media type' },
        { args: ['tsk_none', file], exit: EXIT.notFound, says: 'no task' },
      ];
    },
  },
  {
    command: 'attachments get',
    cases: async ({ task, workflow, folder }) => {
      const added = { taskId: (await task()).id, name: 'a.txt', content: Buffer.from('all of it') };
      const { id } = must(await workflow.addAttachment(added, PERSON));
      const file = join(folder, 'fetched.txt');
      if (existsSync(file)) rmSync(file);
      return [
        { args: [id], exit: EXIT.done, says: 'all of it' },
        { args: [id, '-o', file, '--json'], exit: EXIT.done, keys: ['id', 'file'] },
        { args: [id, '-o', file], exit: EXIT.refused, says: 'fetched.txt' },
        { args: ['att_none'], exit: EXIT.notFound, says: 'no attachment' },
      ];
    },
  },
  {
    command: 'attachments remove',
    cases: async ({ task, workflow }) => {
      const added = { taskId: (await task()).id, name: 'a.txt', content: Buffer.from('a') };
      const { id } = must(await workflow.addAttachment(added, PERSON));
      return [
        { args: [id, '--json'], exit: EXIT.done, keys: ['done'] },
        { args: [id], exit: EXIT.notFound, says: 'no attachment' },
      ];
    },
  },
];

const ARTIFACT_KEYS = ['id', 'taskId', 'type', 'label', 'metadata'];

const ARTIFACTS: ReadonlyArray<Row> = [
  {
    command: 'artifacts list',
    cases: async ({ task, workflow }) => {
      const { id } = await task();
      must(
        await workflow.addArtifact({ taskId: id, type: 'link', label: 'RFC', url: 'https://example.test/' }, PERSON),
      );
      return [{ args: [id, '--json'], exit: EXIT.done, keys: ARTIFACT_KEYS }, NO_TASK];
    },
  },
  {
    command: 'artifacts get',
    cases: async ({ task, workflow }) => {
      const link = { type: 'link', label: 'RFC', url: 'https://example.test/' } as const;
      const { id } = must(await workflow.addArtifact({ taskId: (await task()).id, ...link }, PERSON));
      return [
        { args: [id, '--json'], exit: EXIT.done, keys: ARTIFACT_KEYS },
        { args: ['art_none'], exit: EXIT.notFound, says: 'no artifact' },
      ];
    },
  },
  {
    command: 'artifacts create',
    cases: async ({ task }) => {
      const { id } = await task();
      const link = ['--type', 'link', '--label', 'RFC', '--url', 'https://example.test/rfc'];
      return [
        { args: [id, ...link, '--json'], exit: EXIT.done, keys: ARTIFACT_KEYS },
        { args: [id, '--type', 'document', '--label', 'D', '--content', 'x'], exit: EXIT.refused, says: 'docType' },
        { args: [id, '--type', 'link', '--label', 'x', '--url', 'javascript:x'], exit: EXIT.refused, says: 'url' },
        { args: [id, '--type', 'song'], exit: EXIT.usage, says: 'Allowed choices' },
        { args: ['tsk_none', ...link], exit: EXIT.notFound, says: 'no task' },
      ];
    },
  },
  {
    command: 'artifacts update',
    cases: async ({ task, workflow }) => {
      const link = { type: 'link', label: 'RFC', url: 'https://example.test/' } as const;
      const { id } = must(await workflow.addArtifact({ taskId: (await task()).id, ...link }, PERSON));
      return [
        { args: [id, '--label', 'Final', '--json'], exit: EXIT.done, says: '"Final"' },
        { args: [id], exit: EXIT.usage, says: 'no input' },
        { args: ['art_none', '--label', 'x'], exit: EXIT.notFound, says: 'no artifact' },
      ];
    },
  },
  {
    command: 'artifacts delete',
    cases: async ({ task, workflow }) => {
      const link = { type: 'link', label: 'RFC', url: 'https://example.test/' } as const;
      const { id } = must(await workflow.addArtifact({ taskId: (await task()).id, ...link }, PERSON));
      return [
        { args: [id, '--json'], exit: EXIT.done, keys: ['done'] },
        { args: [id], exit: EXIT.notFound, says: 'no artifact' },
      ];
    },
  },
];

const TEMPLATE_KEYS = ['id', 'name', 'builtIn', 'fields'];

const TEMPLATES: ReadonlyArray<Row> = [
  {
    command: 'templates list',
    cases: async () => [
      { args: ['--json'], exit: EXIT.done, keys: TEMPLATE_KEYS },
      { args: [], exit: EXIT.done, says: 'Bug Fix' },
    ],
  },
  {
    command: 'templates get',
    cases: async () => [
      { args: ['Bug Fix', '--json'], exit: EXIT.done, keys: TEMPLATE_KEYS },
      { args: ['Nosuch'], exit: EXIT.notFound, says: 'no template Nosuch' },
    ],
  },
  {
    command: 'templates create',
    cases: async () => [
      { args: [`Docs ${Date.now()}`, '--tag', 'docs', '--size', 's', '--json'], exit: EXIT.done, keys: TEMPLATE_KEYS },
      { args: [], stdin: '{"name":"x","fields":{"size":"huge"}}', exit: EXIT.refused, says: 'fields.size' },
      { args: [], exit: EXIT.usage, says: 'no input' },
    ],
  },
  {
    command: 'templates update',
    cases: async ({ workflow }) => {
      const name = `Upkeep ${Date.now()}`;
      must(await workflow.saveTemplate({ name, fields: { tags: ['a'] } }, PERSON));
      return [
        { args: [name, '--priority', 'low', '--json'], exit: EXIT.done, says: '"tags":["a"]' },
        { args: ['Bug Fix', '--priority', 'low'], exit: EXIT.refused },
        { args: ['Nosuch', '--priority', 'low'], exit: EXIT.notFound, says: 'no template' },
      ];
    },
  },
  {
    command: 'templates delete',
    cases: async ({ workflow }) => {
      const name = `Gone ${Date.now()}`;
      must(await workflow.saveTemplate({ name, fields: {} }, PERSON));
      return [
        { args: [name, '--json'], exit: EXIT.done, keys: ['done'] },
        { args: ['Bug Fix'], exit: EXIT.refused },
        { args: ['Nosuch'], exit: EXIT.notFound, says: 'no template' },
      ];
    },
  },
];

const OTHERS: ReadonlyArray<Row> = [
  {
    command: 'phases list',
    cases: async ({ task }) => [{ args: [(await task()).id, '--json'], exit: EXIT.done }, NO_TASK],
  },
  {
    command: 'import github',
    cases: async ({ workflow, folder }) => {
      const path = join(folder, 'on-github');
      makeRepository(path);
      execFileSync('git', ['-C', path, 'remote', 'add', 'origin', 'https://github.com/ada/slugs.git']);
      const { id } = must(await workflow.createProject({ path }, PERSON));
      const there = ['--project', id, '--json'];
      return [
        { args: there, exit: EXIT.done, keys: ['number', 'title', 'url'] },
        {
          args: ['--all', ...there],
          exit: EXIT.done,
          keys: ['imported', 'known', 'refused'],
          says: '"title":"Broken"',
        },
        { args: ['--all', ...there], exit: EXIT.done, says: '"imported":[],"known":[{' },
        { args: ['--all', '--json'], exit: EXIT.refused, says: 'GitHub' },
        { args: ['twelve'], exit: EXIT.usage, says: "not 'twelve'" },
      ];
    },
  },
];

export const TASK_PART_ROWS: ReadonlyArray<Row> = [
  ...NOTES,
  ...MESSAGES,
  ...DEPENDENCIES,
  ...ATTACHMENTS,
  ...ARTIFACTS,
  ...TEMPLATES,
  ...OTHERS,
];
