import { describe, expect, it } from 'vitest';
import { LAYERS } from './layers.ts';
import { judge } from './planted.ts';
import { roomLayers } from './room-layers.ts';

/** Every room of a package that has layers, so that only what a test plants is refused. */
function house(name: string, files: Readonly<Record<string, string>>): string[] {
  const rooms = (LAYERS[name] ?? []).flatMap((layer) => layer.split(' '));
  const empty = Object.fromEntries(rooms.map((room) => [`packages/${name}/src/${room}/empty.ts`, 'export {};']));
  const planted = Object.entries(files).map(([file, text]) => [`packages/${name}/src/${file}`, text]);
  return judge(roomLayers, { ...empty, ...Object.fromEntries(planted) });
}

describe('the layers of rooms', () => {
  it.each(Object.keys(LAYERS))('in %s refuse an import upwards or beside, of types too', (name) => {
    const layers = LAYERS[name] ?? [];
    const [low = ''] = layers[0]?.split(' ') ?? [];
    const [high = ''] = layers.at(-1)?.split(' ') ?? [];
    const up = house(name, { [`${low}/a.ts`]: `import type { B } from '../${high}/b.ts';`, [`${high}/b.ts`]: '' });
    expect(up).toEqual([
      expect.stringContaining(`the room ${low} must not import from ${high}, which stands above it`),
    ]);
    const down = house(name, { [`${high}/a.ts`]: `import { b } from '../${low}/b.ts';`, [`${low}/b.ts`]: '' });
    expect(down).toEqual([]);
    for (const [one, other] of layers.map((layer) => layer.split(' '))) {
      if (one === undefined || other === undefined) continue;
      const beside = house(name, { [`${one}/a.ts`]: `export * from '../${other}/b.ts';`, [`${other}/b.ts`]: '' });
      expect(beside).toEqual([expect.stringContaining('which stands beside it')]);
    }
  });

  it('let the front door and the tests take from every room, and nobody from the front door', () => {
    const rooms = { 'index.ts': `export * from './sessions/a.ts';`, 'sessions/a.ts': '' };
    expect(house('journal', rooms)).toEqual([]);
    expect(house('journal', { ...rooms, 'events/b.ts': `import '../index.ts';` })).toEqual([
      expect.stringContaining('the room events must not import from index'),
    ]);
  });

  it('know every room, and none that is gone', () => {
    expect(house('journal', { 'attic/a.ts': 'export {};' })).toEqual([
      expect.stringContaining('the room attic has no layer'),
    ]);
    expect(judge(roomLayers, { 'packages/journal/src/index.ts': '' })).toHaveLength(3);
  });
});
