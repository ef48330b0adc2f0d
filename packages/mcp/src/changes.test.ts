import { expect, it } from 'vitest';
import { mcpChanges, type ServerSet } from './changes.ts';
import type { Connection } from './connection.ts';
import type { McpServerDefinition } from './definition.ts';

const stdio = (name: string, command = name): McpServerDefinition => ({
  name,
  scope: 'flag',
  transport: { kind: 'stdio', command, args: [], env: {} },
});
const host = (name: string): McpServerDefinition => ({
  name,
  scope: 'flag',
  transport: { kind: 'host', open: () => ({ send: async () => undefined, close: () => undefined }) },
});

/** Servers that write down when they start and end; `bad` does not start. */
function world(...servers: ReadonlyArray<McpServerDefinition>) {
  const log: string[] = [];
  const connect = (definition: McpServerDefinition): Connection => {
    const { name } = definition;
    const problem = { ok: false, error: { code: 'start_failed', message: `${name} did not start`, retryable: false } };
    return {
      definition,
      start: async () => {
        log.push(`+${name}`);
        return name === 'bad' ? problem : { ok: true, value: undefined };
      },
      close: async () => void log.push(`-${name}`),
    } as Connection;
  };
  const keyed = servers.map((definition) => ({ definition, key: definition.name }));
  const set: ServerSet = {
    keyed,
    connections: new Map(keyed.map(({ key, definition }) => [key, connect(definition)])),
    off: new Set(),
    taken: new Set(keyed.map(({ key }) => key)),
    connect,
    isUsed: ({ scope }) => scope !== 'project',
  };
  const names = () => set.keyed.map(({ definition }) => definition.name);
  return { log, names, running: () => [...set.connections.keys()], changes: mcpChanges(set) };
}

it('a server is ended and then started anew; switched off it is ended and offers nothing', async () => {
  const { log, running, changes } = world(stdio('a'), { ...stdio('theirs'), scope: 'project' });
  expect(await changes.reconnect('a')).toBeNull();
  expect(await changes.toggle('a', false)).toBeNull();
  expect(running()).toEqual(['theirs']);
  expect(await changes.reconnect('a')).toMatch(/switched off/);
  expect(await changes.toggle('a', true)).toBeNull();
  expect(await changes.toggle('a', true)).toBeNull();
  expect(log).toEqual(['-a', '+a', '-a', '+a']);
  expect(await changes.reconnect('theirs')).toMatch(/nobody trusted/);
  expect(await changes.toggle('b', true)).toBe('There is no MCP server b. Known: a, theirs.');
});

it('servers that a program named, and those inside it, are replaced; others stay until they are named', async () => {
  const { log, names, changes } = world(stdio('kept'), host('inner'));
  expect(await changes.replace([stdio('bad'), stdio('x')])).toEqual({
    added: ['bad', 'x'],
    removed: ['inner'],
    errors: { bad: 'bad did not start' },
  });
  expect(await changes.replace([stdio('x', 'other'), stdio('kept'), host('inner')])).toMatchObject({
    added: ['x', 'inner'],
    removed: ['bad'],
  });
  expect(await changes.replace([host('inner')])).toMatchObject({ added: [], removed: ['kept', 'x'] });
  expect(names()).toEqual(['inner']);
  expect(log).toEqual(['-inner', '+bad', '+x', '-bad', '-x', '+x', '+inner', '-kept', '-x']);
});

it('changes come one after the other, and none starts a server once the session is over', async () => {
  const { log, changes } = world(stdio('a'));
  await Promise.all([changes.replace([stdio('b')]), changes.replace([])]);
  expect(log).toEqual(['+b', '-b']);
  changes.end();
  expect(await changes.reconnect('a')).toBe('The session is over.');
  expect(log).toEqual(['+b', '-b', '-a']);
});
