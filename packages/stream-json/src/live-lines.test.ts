import type { SessionEvent } from '@attractor/journal';
import { NO_USAGE } from '@attractor/llm';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Line } from './event-lines.ts';
import { createLiveLines } from './live-lines.ts';

function live() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: Line[] = [];
  const commands: Array<{ id: string; status: string; command: string }> = [];
  const names: unknown[] = [];
  const { see, stop } = createLiveLines({
    write: (line) => void lines.push(line),
    callOf: (id) => `call of ${id}`,
    commands: () => commands,
    listed: () => names,
  });
  onTestFinished(stop);
  const told = (event: SessionEvent): ReadonlyArray<Line> => {
    see({ ...event, seq: 1, at: '', sessionId: 'ses_1' });
    return lines.splice(0);
  };
  const later = (ms: number): ReadonlyArray<Line> => {
    vi.advanceTimersByTime(ms);
    return lines.splice(0);
  };
  return { told, later, commands, names };
}

const begin = (id: string, toolName = 'Bash'): SessionEvent => ({
  kind: 'TOOL_CALL_START',
  toolCallId: id,
  toolName,
  args: {},
});
const end = (id: string): SessionEvent => ({
  kind: 'TOOL_CALL_END',
  toolCallId: id,
  toolName: 'Bash',
  output: '',
  isError: false,
});

it('a call that takes long is told every ten seconds, until it ends', () => {
  const { told, later } = live();
  expect([told(begin('a')), later(9_000)]).toEqual([[], []]);
  const about = { type: 'tool_progress', tool_use_id: 'a', tool_name: 'Bash', parent_tool_use_id: null };
  expect(later(1_000)).toEqual([
    { ...about, elapsed_time_seconds: 10, session_id: 'ses_1', uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ]);
  told({ kind: 'SUBAGENT_EVENT', subagentId: 'kid', event: begin('b', 'Grep') });
  expect(later(10_000)).toMatchObject([
    { tool_use_id: 'a', elapsed_time_seconds: 20 },
    { tool_use_id: 'b', tool_name: 'Grep', parent_tool_use_id: 'call of kid', elapsed_time_seconds: 10 },
  ]);
  told(end('a'));
  told({ kind: 'SUBAGENT_EVENT', subagentId: 'kid', event: end('b') });
  expect(later(60_000)).toEqual([]);
});

it('an agent tells what it used so far with each of its calls, and its end', () => {
  const { told, later } = live();
  told(begin('call of kid', 'Task'));
  told({
    kind: 'SUBAGENT_START',
    subagentId: 'kid',
    childSessionId: 'c',
    instruction: 'Look.\nWell.',
    agent: 'explore',
  });
  const usage = { ...NO_USAGE, inputTokens: 30, outputTokens: 4 };
  const answer = { kind: 'ASSISTANT_MESSAGE', content: [], usage, model: 'm', responseId: 'r' } as const;
  told({ kind: 'SUBAGENT_EVENT', subagentId: 'kid', event: answer as unknown as SessionEvent });
  later(1_500);
  expect(told({ kind: 'SUBAGENT_EVENT', subagentId: 'kid', event: begin('b', 'Grep') })).toMatchObject([
    {
      subtype: 'task_progress',
      task_id: 'kid',
      tool_use_id: 'call of kid',
      description: 'Look.',
      subagent_type: 'explore',
      usage: { total_tokens: 34, tool_uses: 1, duration_ms: 1_500 },
      last_tool_name: 'Grep',
    },
  ]);
  expect(
    told({
      kind: 'SUBAGENT_END',
      subagentId: 'kid',
      status: 'error',
      result: { output: '' },
    } as unknown as SessionEvent),
  ).toMatchObject([{ subtype: 'task_updated', task_id: 'kid', patch: { status: 'failed' } }]);
});

it('all that runs in the background is told when that changes, and names that were read again', () => {
  const { told, commands, names } = live();
  told(begin('a'));
  commands.push({ id: 'bash_1', status: 'running', command: 'sleep 9' });
  const running = { task_id: 'bash_1', task_type: 'local_bash', description: 'sleep 9' };
  expect(told(end('a'))).toMatchObject([
    { subtype: 'task_started', ...running, is_backgrounded: true },
    { subtype: 'background_tasks_changed', tasks: [running] },
  ]);
  told(begin('call of kid'));
  told({ kind: 'SUBAGENT_START', subagentId: 'kid', childSessionId: 'c', instruction: 'Look.' });
  const agent = { task_id: 'kid', task_type: 'local_agent', description: 'Look.' };
  expect(told(end('call of kid'))).toMatchObject([{ tasks: [running, agent] }]);
  commands[0] = { id: 'bash_1', status: 'killed', command: 'sleep 9' };
  const over = { kind: 'SUBAGENT_END', subagentId: 'kid', status: 'completed', result: { output: '' } };
  expect(told(over as unknown as SessionEvent)).toMatchObject([
    { subtype: 'task_updated' },
    { subtype: 'task_notification', task_id: 'bash_1', status: 'stopped', summary: 'sleep 9: killed' },
    { tasks: [] },
  ]);
  expect(told({ kind: 'USER_INPUT', content: 'x' })).toEqual([]);
  names.push({ name: 'fresh', description: 'd', argumentHint: '' });
  expect(told({ kind: 'USER_INPUT', content: 'x' })).toMatchObject([{ subtype: 'commands_changed', commands: names }]);
});

it('a command that ends by itself is told without any event', () => {
  const { told, later, commands } = live();
  commands.push({ id: 'bash_1', status: 'running', command: 'npm test' });
  told(end('call_1'));
  expect(later(5_000)).toEqual([]);
  commands[0] = { id: 'bash_1', status: 'completed', command: 'npm test' };
  expect(later(500)).toMatchObject([
    { subtype: 'task_notification', task_id: 'bash_1', status: 'completed' },
    { subtype: 'background_tasks_changed', tasks: [] },
  ]);
});
