import { readEvent } from '@attractor/platform';
import { expect, it } from 'vitest';
import { createTaskProgress } from './task-progress.ts';

const event = (type: string, data: Readonly<Record<string, unknown>>) =>
  readEvent({
    id: 'evt_1',
    seq: 1,
    at: '2026-01-01T00:00:00.000Z',
    projectId: 'prj_1',
    taskId: 'tsk_1',
    runId: 'run_1',
    category: 'agent',
    type,
    level: 'info',
    summary: '',
    data,
    actor: { type: 'system' },
  });
const run = { id: 'run_1', taskId: 'tsk_1', mode: 'implement', status: 'running', startedAt: '' };
const message = (body: object) => event('agent.message', { message: { key: 'k', toolCallId: 'c', ...body } });

it('says how long an agent has been at work, in which step and on what; nothing while none works', () => {
  const progress = createTaskProgress(() => Date.parse('2026-01-01T00:00:07.000Z'));
  expect(progress.words()).toBe('');
  progress.see(event('agent.started', { run }));
  expect(progress.words()).toBe('7 s · implement · 0 calls · queued');
  progress.see(event('run.step_started', { step: 'execute' }));
  progress.hear({ delta: { kind: 'text_delta', text: 'I look\nat it' } });
  expect(progress.words()).toBe('7 s · implement · 0 calls · thinking: at it');
  progress.see(message({ kind: 'tool_call', toolName: 'shell', input: { command: 'npm test' } }));
  expect(progress.words()).toBe('7 s · implement · 0 calls · shell npm test');
  progress.see(message({ kind: 'tool_result', toolName: 'shell', output: '', isError: false }));
  expect(progress.words()).toBe('7 s · implement · 1 call · thinking');
  progress.see(event('agent.completed', { run }));
  expect(progress.words()).toBe('');
});
