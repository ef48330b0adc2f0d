import { describe, expect, it } from 'vitest';
import { toolLabel } from './tool-label.ts';

const TOOLS = [
  { name: 'grep', names: ['grep', 'Grep'], does: 'searches file contents', subject: ['pattern'] },
  { name: 'todo_write', names: ['todo_write'], does: 'writes the list of steps', subject: [] },
];

describe('how a call is told in one line', () => {
  it('by the argument that its tool names, under every name of the tool', () => {
    const told = { hint: 'searches file contents', subject: 'two' };
    const input = { path: 'src', pattern: 'two' };
    expect(toolLabel({ toolName: 'grep', input }, TOOLS)).toEqual(told);
    expect(toolLabel({ toolName: 'Grep', input }, TOOLS)).toEqual(told);
  });

  it('of a tool that is not ours by an argument that often says it', () => {
    const input = { query: 'x', path: 'src' };
    expect(toolLabel({ toolName: 'mcp__a__find', input }, TOOLS)).toEqual({ hint: null, subject: 'src' });
  });

  it('by all arguments where none says it', () => {
    expect(toolLabel({ toolName: 'todo_write', input: { todos: [] } }, TOOLS).subject).toBe('{"todos":[]}');
    expect(toolLabel({ toolName: 'grep', input: { pattern: 1 } }, TOOLS).subject).toBe('{"pattern":1}');
    expect(toolLabel({ toolName: 'other', input: {} }, []).subject).toBe('{}');
  });
});
