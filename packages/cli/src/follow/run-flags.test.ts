import { describe, expect, it } from 'vitest';
import { judgeRunFlags, pipelineFor, type RunFlags } from './run-flags.ts';

const NONE: RunFlags = { check: [], addDir: [], plan: true };

function said(task: string | undefined, flags: Partial<RunFlags>, attended = true): string {
  try {
    judgeRunFlags(task, { ...NONE, ...flags }, attended);
    return 'fine';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

describe('the flags of attractor run', () => {
  it('that contradict each other are refused, with what to do', () => {
    const wrong: ReadonlyArray<readonly [task: string | undefined, flags: Partial<RunFlags>, says: string]> = [
      [undefined, {}, 'say what should be done'],
      ['x', { resume: 'ATT-1' }, 'not both'],
      [undefined, { resume: 'ATT-1', tdd: true }, '--tdd belongs to a new task'],
      [undefined, { resume: 'ATT-1', check: ['npm test'] }, 'belongs to a new task'],
      [undefined, { resume: 'ATT-1', detach: true }, 'attractor serve'],
      ['x', { planOnly: true, plan: false }, 'contradict'],
      ['x', { planOnly: true, yes: true }, 'leave out --yes'],
      ['x', { tdd: true, stages: true }, 'leave one out'],
      ['x', { tdd: true, plan: false }, '--no-plan'],
      ['x', { detach: true, here: true }, 'leave one out'],
    ];
    for (const [task, flags, says] of wrong) expect(said(task, flags)).toContain(says);
    expect(said('x', { here: true }, false)).toContain('--yes');
    expect([said('x', { here: true }), said('x', { here: true, yes: true }, false)]).toEqual(['fine', 'fine']);
    expect(said(undefined, { resume: 'ATT-1' })).toBe('fine');
  });

  it('choose the pipeline', () => {
    const chosen = (flags: Partial<RunFlags>) => pipelineFor({ ...NONE, ...flags });
    expect([chosen({}), chosen({ tdd: true }), chosen({ stages: true }), chosen({ detach: true, yes: true })]).toEqual([
      'coding',
      'coding-tdd',
      'coding-stages',
      'coding-auto',
    ]);
  });
});
