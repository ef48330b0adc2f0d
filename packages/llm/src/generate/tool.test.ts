import { describe, expect, it } from 'vitest';
import { LlmError } from '../types/error.ts';
import { checkTools, defineTool } from './tool.ts';

const parameters = { type: 'object' };

describe('the definition of a tool', () => {
  it.each(['a', 'read_file', 'Tool9', 'x'.repeat(64)])('accepts the name %s', (name) => {
    expect(defineTool({ name, description: '', parameters })).toMatchObject({ name });
  });

  it.each(['', '9lives', '_private', 'file.read', 'with-dash', 'with space', 'x'.repeat(65), 'naïve', 'a\n'])(
    'refuses the name %j',
    (name) => {
      expect(() => defineTool({ name, description: '', parameters })).toThrow(LlmError);
    },
  );

  it.each([{}, { type: 'string' }, { type: ['object', 'null'] }])(
    'refuses parameters whose root is no object: %j',
    (bad) => {
      expect(() => defineTool({ name: 'a', description: '', parameters: bad })).toThrow(/root has "type": "object"/);
    },
  );

  it('refuses two tools of one name', () => {
    const tool = { name: 'a', description: '', parameters };
    expect(() => checkTools([tool, { ...tool }])).toThrow(/Two tools are named "a"/);
  });
});
