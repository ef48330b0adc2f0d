import type { SessionTurn } from '../server-parts.ts';
import { expect, it } from 'vitest';
import { howToResume, turnsToRead } from './session-turns.ts';

const turn = (part: Partial<SessionTurn>): SessionTurn => ({
  turn: 1,
  kind: 'user',
  at: '2026-03-01T10:00:00.000Z',
  text: '',
  calls: [],
  results: [],
  ...part,
});

it('shows the result of a call with the call, and a call without one as interrupted', () => {
  const calls = ['a', 'b'].map((toolCallId) => ({ toolCallId, toolName: 'shell', args: { command: 'ls' } }));
  const said = turnsToRead([
    turn({ text: 'List the files' }),
    turn({ turn: 2, kind: 'assistant', text: 'I look.', calls }),
    turn({ turn: 3, kind: 'tool_results', results: [{ toolCallId: 'a', output: 'sum.sh', isError: false }] }),
  ]);
  expect(
    said.map(({ turn: number, kind, tools }) => [number, kind, tools.map(({ result }) => result?.output)]),
  ).toEqual([
    [1, 'person', []],
    [2, 'agent', ['sum.sh', 'There is no result: it was interrupted.']],
  ]);
});

it('names the command that goes on with it, whatever its folder is called', () => {
  expect(howToResume("/home/a'b", 'ses_1')).toBe(String.raw`cd '/home/a'\''b' && attractor --resume ses_1`);
});
