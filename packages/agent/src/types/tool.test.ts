import { describe, expect, it } from 'vitest';
import { createToolRegistry, type RegisteredTool } from './tool.ts';

const tool = (name: string, description = name): RegisteredTool => ({
  definition: { name, description, parameters: {} },
  executor: async () => '',
});

describe('createToolRegistry', () => {
  it('gives back what was registered, in order, and null for the rest', () => {
    const registry = createToolRegistry([tool('a')]);
    registry.register(tool('b'));
    expect(registry.definitions().map(({ name }) => name)).toEqual(['a', 'b']);
    expect(registry.list()).toHaveLength(2);
    expect(registry.get('b')?.definition.name).toBe('b');
    expect(registry.get('toString')).toBeNull();
  });

  it('lets the latest registration of a name win, and leaves nothing after unregister', () => {
    const registry = createToolRegistry([tool('a', 'old')]);
    registry.register(tool('a', 'new'));
    expect(registry.get('a')?.definition.description).toBe('new');
    registry.unregister('a');
    expect([registry.get('a'), registry.list(), registry.definitions()]).toEqual([null, [], []]);
  });
});
