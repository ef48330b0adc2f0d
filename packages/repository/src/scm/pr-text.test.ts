import { describe, expect, it } from 'vitest';
import { pullRequestText } from './pr-text.ts';
import { reviewText } from './review-text.ts';
import { phaseBranchName } from './task-branch.ts';

const task = {
  title: 'Safe slugs',
  description: 'They break URLs.',
  plan: null,
  sourceUrl: 'https://github.com/ada/slugs/issues/4',
};
const check = {
  name: 'test',
  command: 'npm test',
  phase: 'branch',
  commit: 'a'.repeat(40),
  passed: true,
  exitCode: 0,
  severity: 'error',
  durationMs: 1,
  output: '',
} as const;

describe('the text of a pull request', () => {
  it('says what, why and how it was proved, and leaves empty sections out', () => {
    const text = pullRequestText({
      task,
      commits: [{ hash: 'b'.repeat(40), author: 'Ada', message: 'Escape' }],
      checks: [check, { ...check, phase: 'base', passed: false }],
    });
    expect(text).toBe(
      `They break URLs.\n\nSource: https://github.com/ada/slugs/issues/4\n\n## Commits\n\n- ${'b'.repeat(12)} Escape\n\n## Checks\n\n- passed: test on ${'a'.repeat(12)}`,
    );
  });

  it('holds the work against its plan: what was done with what shows it, what was not done, and what is not as planned', () => {
    const text = pullRequestText({
      task: { ...task, plan: 'Escape, then tell.' },
      commits: [],
      checks: [],
      judged: {
        items: [
          { number: 1, text: 'Change slug.ts', state: 'shown', detail: 'slug.ts was changed' },
          { number: 2, text: 'Tell in readme.md', state: 'open', detail: 'readme.md is unchanged' },
        ],
        deviations: [
          { kind: 'file_not_touched', what: 'readme.md' },
          { kind: 'command_not_planned', what: 'npm i x\n## Done', detail: 'without success' },
        ],
      },
    });
    expect(text.slice(text.indexOf('## Plan'))).toBe(`## Plan

Escape, then tell.

## Done

1. [x] Change slug.ts (shown: slug.ts was changed)

## Not done

2. [ ] Tell in readme.md (open: readme.md is unchanged)

## Not as planned

- readme.md: in the plan, and not changed
- npm i x ## Done: not in the plan (without success)`);
  });

  it('follows the template of the project, and fills in nothing twice', () => {
    const tricky = { ...task, description: 'Use {plan} and {title}.' };
    expect(
      pullRequestText({ task: tricky, commits: [], checks: [], template: '# {title}\n{description}\n{unknown}' }),
    ).toBe('# Safe slugs\nUse {plan} and {title}.\n{unknown}');
  });
});

describe('what a reviewer said', () => {
  it('is one comment with a line for each remark', () => {
    const payload = {
      summary: 'Not yet.',
      comments: [
        { comment: 'Why?', severity: 'critical', file: 'a.ts', line: 3 },
        { comment: 'Hm.', severity: 'nit' },
        7,
      ],
    };
    expect(reviewText('changes_requested', payload)).toBe(
      '**Changes requested.** Not yet.\n\n- **critical** `a.ts:3`: Why?\n- **nit**: Hm.',
    );
    expect([reviewText('approved', null), reviewText('needs_info', {})]).toEqual([
      expect.stringContaining('approves'),
      null,
    ]);
  });
});

describe('the branch of a phase', () => {
  it('stands beside that of the task, and two phases never share one', () => {
    expect(phaseBranchName('agent/x', { name: 'First: the Sümmary of everything there is', position: 0 })).toBe(
      'agent/x--1-first-the-summary-of-everythin',
    );
    expect(phaseBranchName('agent/x', { name: '???', position: 1 })).toBe('agent/x--2');
    expect(phaseBranchName('agent/x', { name: 'Same', position: 2 })).not.toBe(
      phaseBranchName('agent/x', { name: 'Same', position: 3 }),
    );
  });
});
