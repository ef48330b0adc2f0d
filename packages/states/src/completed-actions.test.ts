import { readEvent } from '@attractor/store';
import { expect, it } from 'vitest';
import { completedActions } from './completed-actions.ts';

const AT = '2026-11-16T10:00:00.000Z';

function eventsOf(...events: ReadonlyArray<readonly [type: string, data: Readonly<Record<string, unknown>>]>) {
  return events.map(([type, data], at) =>
    readEvent({
      seq: at + 1,
      id: `evt_${at}`,
      at: AT,
      projectId: 'prj_1',
      taskId: 'tsk_1',
      runId: 'run_1',
      category: 'agent',
      level: 'info',
      type,
      summary: '',
      data,
      actor: { type: 'system' },
    }),
  );
}

const call = (toolCallId: string, toolName: string, input: object) =>
  ['agent.message', { message: { kind: 'tool_call', key: toolCallId, toolCallId, toolName, input } }] as const;
const result = (toolCallId: string, isError = false) =>
  [
    'agent.message',
    { message: { kind: 'tool_result', key: `${toolCallId}r`, toolCallId, output: '', isError } },
  ] as const;

it('tells new files from changed ones, in every family, by their paths in the repository; what only looks is no action', () => {
  const patch = '*** Begin Patch\n*** Delete File: old.ts\n*** End Patch';
  const events = eventsOf(
    ['worktree.prepared', { path: '/w/one', branch: 'b' }],
    call('1', 'read_file', { file_path: '/w/one/api/routes.py' }),
    result('1'),
    call('2', 'Write', { file_path: '/w/one/auth/jwt.py', content: '' }),
    result('2'),
    call('3', 'edit_file', { file_path: '/w/one/api/routes.py', old_string: 'a', new_string: 'b' }),
    result('3'),
    call('4', 'write_file', { path: 'auth/jwt.py', content: 'x' }),
    result('4'),
    call('5', 'apply_patch', { patch }),
    result('5'),
    call('6', 'shell', { command: 'pytest' }),
    result('6', true),
    call('7', 'shell', { command: 'sleep 1' }),
  );
  expect(completedActions(events)).toEqual([
    { action: 'create_file', path: 'auth/jwt.py', status: 'success', at: AT },
    { action: 'modify_file', path: 'api/routes.py', status: 'success', at: AT },
    { action: 'modify_file', path: 'auth/jwt.py', status: 'success', at: AT },
    { action: 'delete_file', path: 'old.ts', status: 'success', at: AT },
    { action: 'run_command', command: 'pytest', status: 'error', at: AT },
  ]);
});

it('tells what a person did not allow from what failed, and what was rolled back', () => {
  const prompt = {
    id: 'prm_1',
    taskId: 'tsk_1',
    status: 'answered',
    type: 'tool_approval',
    payload: { toolCallId: '1', toolName: 'shell', input: { command: 'git push' } },
    answer: { decision: 'reject' },
  };
  const events = eventsOf(
    call('1', 'shell', { command: 'git push' }),
    ['prompt.answered', { prompt }],
    result('1', true),
    ['work.rolled_back', { branch: 'b', commit: 'c', files: ['a.txt'] }],
  );
  expect(completedActions(events).map(({ action, status, path }) => [action, status, path])).toEqual([
    ['run_command', 'rejected', undefined],
    ['rollback', 'success', 'a.txt'],
  ]);
});

it('a file that could not be written is new when it is written at last', () => {
  const events = eventsOf(
    call('1', 'write_file', { path: 'double.sh', content: 'x' }),
    result('1', true),
    call('2', 'read_file', { file_path: 'double.sh' }),
    result('2', true),
    call('3', 'write_file', { path: 'double.sh', content: 'x' }),
    result('3'),
  );
  expect(completedActions(events).map(({ action, status }) => [action, status])).toEqual([
    ['create_file', 'error'],
    ['create_file', 'success'],
  ]);
});
