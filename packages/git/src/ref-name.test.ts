import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { refNameProblem } from './ref-name.ts';

describe('T16: the name of a ref', () => {
  it.each([
    '-x',
    '--upload-pack=evil',
    '--output=/tmp/x',
    '-',
    '',
    'a b',
    'a\u3000$(x)',
    'a\nb',
    'a..b',
    'a~1',
    'a:b',
    'a.lock',
    '/a',
    'a/',
    '@',
    'a@{0}',
    'a\u202eb',
  ])('%j is refused', (name) => {
    expect(refNameProblem(name)).not.toBeNull();
  });

  it.each(['main', 'agent/fix-it-01m7', 'feature/x.y_z', 'v1.2.3', 'a-b', 'x@y'])('%j is taken, by git too', (name) => {
    expect(refNameProblem(name)).toBeNull();
    expect(spawnSync('git', ['check-ref-format', `refs/heads/${name}`]).status).toBe(0);
  });
});
