import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeExecWorld } from './exec-world.ts';

const AGENTS = path.resolve(import.meta.dirname, '../../examples/agents');

const call = (name: string, args: object): object => ({ name, args });

test('the sample developer reads its task, changes the file and reports', async () => {
  const world = await makeExecWorld(
    {
      turns: [
        {
          expect: [{ firstUser: 'TASK_FILE' }, { system: 'You implement one task' }],
          toolCalls: [call('file_read', { path: 'tasks/sum.md' })],
        },
        { expect: { toolResult: 'adds' }, toolCalls: [call('file_search', { pattern: 'a - b' })] },
        {
          expect: { toolResult: 'sum.js' },
          toolCalls: [call('file_patch', { path: 'sum.js', patches: [{ find: 'a - b', replace: 'a + b' }] })],
        },
        {
          expect: { toolResult: 'patches_applied' },
          toolCalls: [call('file_write', { path: 'reports/1.md', content: '# Report\n' })],
        },
        { text: 'The sum adds now.' },
      ],
    },
    { 'tasks/sum.md': 'Make sum.js so that it adds.\n', 'sum.js': 'export const sum = (a, b) => a - b;\n' },
  );
  const stdin = JSON.stringify({ TASK_FILE: 'tasks/sum.md', REPORT_FILE: 'reports/1.md' });
  const ended = await world.run([], { spec: path.join(AGENTS, 'developer.md'), stdin });
  expect(ended).toMatchObject({ code: 0, stdout: 'The sum adds now.\n', stderr: '' });
  expect(world.simulator.failures()).toEqual([]);
  expect(readFileSync(path.join(world.workspace, 'sum.js'), 'utf8')).toContain('a + b');
  expect(readFileSync(path.join(world.workspace, 'reports/1.md'), 'utf8')).toBe('# Report\n');
});

test('the sample reviewer can read, and nothing it does changes a file', async () => {
  const world = await makeExecWorld(
    {
      turns: [
        {
          expect: [
            { tools: ['file_read', 'file_list', 'file_search'], noTools: ['file_write', 'file_patch', 'file_delete'] },
          ],
          toolCalls: [call('file_read', { path: 'sum.js' }), call('file_write', { path: 'evil.js', content: 'x' })],
        },
        { expect: { toolResult: 'unknown_tool' }, text: 'sum.js:1 subtracts: use a + b.' },
      ],
    },
    { 'sum.js': 'export const sum = (a, b) => a - b;\n' },
  );
  const ended = await world.run([], { spec: path.join(AGENTS, 'reviewer.md'), stdin: '{"FILE":"sum.js"}' });
  expect(ended).toMatchObject({ code: 0, stdout: 'sum.js:1 subtracts: use a + b.\n', stderr: '' });
  expect(world.simulator.failures()).toEqual([]);
  expect(existsSync(path.join(world.workspace, 'evil.js'))).toBe(false);
});
