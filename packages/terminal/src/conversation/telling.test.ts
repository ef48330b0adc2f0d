import type { SessionEvent } from '@attractor/agent';
import { describe, expect, it } from 'vitest';
import { textOf } from '../themes/line.ts';
import { themeFor, themeOnBackground } from '../themes/themes.ts';
import { diffLines } from './diff-lines.ts';
import { createTelling } from './telling.ts';

const USAGE = { inputTokens: 100_000, outputTokens: 0, totalTokens: 100_000 };

/** What is printed, and what is under way after it. */
function told(events: ReadonlyArray<SessionEvent>) {
  let now = 0;
  const telling = createTelling({ lexer: () => [], columns: () => 80, now: () => (now += 1_000) });
  const lines = events.flatMap((event) => [...telling.see(event)]).map(textOf);
  return { telling, lines, live: telling.live().map(textOf) };
}

describe('what is told of the work', () => {
  it('folds what the model thought to a line, which can be opened', () => {
    const thinking: SessionEvent = { kind: 'THINKING_DELTA', text: 'First one,\nthen the other.' };
    expect(told([thinking]).live.join('\n')).toContain('∴ Thinking  then the other.');
    const { telling, lines } = told([thinking, { kind: 'ASSISTANT_TEXT_DELTA', text: 'Done' }]);
    expect(lines.join('\n')).toMatch(/^\n∴ Thought for \d/);
    expect(telling.folded().map(textOf).join('\n')).toContain('First one,\n  then the other.');
  });

  it('has the steps that the model wrote down, and how each stands', () => {
    const todos = ['completed', 'in_progress', 'pending'].map((status) => ({ content: `step ${status}`, status }));
    const write = (toolCallId: string, isError: boolean, args: object): ReadonlyArray<SessionEvent> => [
      { kind: 'TOOL_CALL_START', toolCallId, toolName: 'todo_write', args: { ...args } },
      { kind: 'TOOL_CALL_END', toolCallId, toolName: 'todo_write', output: isError ? 'No id.' : 'ok', isError },
    ];
    const { telling, lines } = told([...write('a', false, { todos }), ...write('b', true, { todos: [] })]);
    expect(telling.steps()).toEqual(todos.map(({ content, status }) => ({ text: content, status })));
    expect(lines).toEqual(['● Steps  1 of 3 done · now: step in_progress', '✗ Steps  No id.']);
    telling.begin();
    expect([telling.steps(), telling.folded()]).toEqual([[], []]);
  });

  it.each([
    ['[exit code 0, 5 ms]', '● Bash make  no output'],
    ['fine\n[exit code 0, 5 ms]', '● Bash make  fine'],
    ['1\n2\n3\n[exit code 0, 5 ms]', '● Bash make  3 lines'],
    ['1\n[stderr]\nbad\n[exit code 2, 5 ms]', '✗ Bash make  exit 2 · 3 lines'],
    ['[ended by SIGKILL, exit code 137, 5 ms]', '✗ Bash make  ended by SIGKILL · no output'],
  ])('says what came of a command that answered %j', (output, line) => {
    const call = { toolCallId: 'a', toolName: 'shell' };
    const start: SessionEvent = { kind: 'TOOL_CALL_START', ...call, args: { command: 'make' } };
    expect(told([start, { kind: 'TOOL_CALL_END', ...call, output, isError: false }]).lines).toEqual([line]);
  });

  it('says what keeps the model from answering, in its own words, and when it answers again', () => {
    const message = 'anthropic: the provider is overloaded (529).';
    expect(
      told([{ kind: 'CONNECTION_LOST', message, retryInMs: 4_000 }, { kind: 'CONNECTION_RESTORED' }]).lines,
    ).toEqual([`! ${message} Trying again in 4s; nothing is lost.`, '  The model answers again.']);
  });

  it('keeps the name of a call in sight that is unfolded', () => {
    const output = Array.from({ length: 40 }, (_, at) => `row ${at}`).join('\n');
    const { telling } = told([
      { kind: 'TOOL_CALL_START', toolCallId: 'a', toolName: 'shell', args: { command: 'make' } },
      { kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId: 'a', text: output },
    ]);
    expect(telling.toggle()).toBe(true);
    const [head, ...rows] = telling.live(8).map(textOf);
    expect([head, rows]).toEqual([expect.stringContaining('◌ Bash make'), expect.arrayContaining(['  row 39'])]);
    expect(rows).toHaveLength(7);
  });

  it('shows the agents that were sent out, what they do, and in the end what they cost', () => {
    const start: SessionEvent = {
      kind: 'SUBAGENT_START',
      subagentId: 's',
      childSessionId: 'c',
      instruction: 'find it',
      agent: 'explore',
      model: 'claude-sonnet-4-5',
    };
    const inside: SessionEvent = { kind: 'TOOL_CALL_START', toolCallId: 'b', toolName: 'read_file', args: {} };
    const doing: SessionEvent = { kind: 'SUBAGENT_EVENT', subagentId: 's', event: inside };
    expect(told([start, doing]).live.join('\n')).toMatch(/◌ explore: find it {2}1 call · \ds · Read/);
    const result = { output: 'found', success: true, turnsUsed: 1 };
    const { lines, live } = told([
      start,
      doing,
      { kind: 'SUBAGENT_END', subagentId: 's', status: 'completed', result, usage: USAGE },
    ]);
    expect([live, lines.join('\n')]).toEqual([
      [],
      expect.stringMatching(/● explore: find it {2}1 call · \ds · \$0\.30/),
    ]);
  });

  it('tells a call and the agent that it sent out as one, which agent asks, and what it was denied', () => {
    const args = { description: 'a part', prompt: 'Do all of it.' };
    const sent = { subagentId: 's', childSessionId: 'c', instruction: 'Do all of it.', agent: 'code' };
    const within = (event: SessionEvent): SessionEvent => ({ kind: 'SUBAGENT_EVENT', subagentId: 's', event });
    const begun: ReadonlyArray<SessionEvent> = [
      { kind: 'TOOL_CALL_START', toolCallId: 'a', toolName: 'Task', args },
      { kind: 'SUBAGENT_START', ...sent },
      within({ kind: 'APPROVAL_REQUESTED', toolCallId: 'b', toolName: 'shell', args: {} }),
    ];
    const { telling, live } = told(begun);
    expect(live).toEqual([expect.stringMatching(/^◌ code: a part {2}0 calls · \ds$/)]);
    expect([telling.askerOf('b'), telling.askerOf('a')]).toEqual(['code: a part', null]);
    const result = { output: '', success: true, turnsUsed: 1 };
    const { lines } = told([
      ...begun,
      within({ kind: 'APPROVAL_ANSWERED', toolCallId: 'b', allowed: false, reason: 'Denied: not here' }),
      { kind: 'SUBAGENT_END', subagentId: 's', status: 'completed', result },
      { kind: 'TOOL_CALL_END', toolCallId: 'a', toolName: 'Task', output: 'done', isError: false },
    ]);
    expect(lines).toEqual(['✗ code: a part  Denied: not here', expect.stringMatching(/^● code: a part {2}0 calls/)]);
  });

  it('marks the words in which a changed line differs', () => {
    const [, removed, added] = diffLines('sum.js\n-let total = a - b;\n+let total = a + b;');
    expect(removed?.filter(({ role }) => role === 'removedWord').map(({ text }) => text)).toEqual(['-']);
    expect(added?.filter(({ role }) => role === 'addedWord').map(({ text }) => text)).toEqual(['+']);
  });

  it('finds out which colours suit a terminal', () => {
    expect(themeFor({ NO_COLOR: '1', TERM: 'xterm-256color' })).toBe('mono');
    expect(themeFor({ TERM: 'xterm' })).toBe('ansi');
    expect(themeFor({ TERM: 'xterm-256color', COLORFGBG: '0;15' })).toBe('light');
    expect(themeFor({ TERM: 'xterm-256color' })).toBe('dark');
    expect(themeOnBackground('dark', ']11;rgb:ffff/ffff/ffff')).toBe('light');
    expect(themeOnBackground('light', ']11;rgb:1e1e/1e1e/1e1e')).toBe('dark');
    expect(themeOnBackground('mono', ']11;rgb:ffff/ffff/ffff')).toBe('mono');
  });
});
