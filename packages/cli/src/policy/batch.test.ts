import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ATTRACTOR = join(import.meta.dirname, '..', 'attractor.ts');

describe('attractor policy check --batch', () => {
  it('answers every line in order, and a bad line with a reason', () => {
    const input = ['{"command":"ls"}', 'not json', '{"command":"rm -rf /"}', ''].join('\n');
    const { stdout, status } = spawnSync(process.execPath, [ATTRACTOR, 'policy', 'check', '--batch'], {
      input,
      encoding: 'utf8',
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(answers).toMatchObject([
      { decision: 'allow' },
      { decision: 'ask', reason: 'error: the line is not a JSON object' },
      { decision: 'deny', part: 'rm -rf /' },
    ]);
    expect(status).toBe(0);
  });
});
