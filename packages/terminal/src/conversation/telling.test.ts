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
    const { telling } = told([{ kind: 'TOOL_CALL_START', toolCallId: 'a', toolName: 'todo_write', args: { todos } }]);
    expect(telling.steps()).toEqual(todos.map(({ content, status }) => ({ text: content, status })));
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
