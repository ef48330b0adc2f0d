import { describe, expect, it } from 'vitest';
import { showDay } from './amounts.ts';
import { eventWords } from './event-words.ts';

const STATUSES = [
  { id: 'in_progress', label: 'In progress' },
  { id: 'pr_review', label: 'Review' },
];

describe('what the log tells', () => {
  it.each([
    ['Ready for review: in_progress → pr_review', 'Ready for review: In progress → Review'],
    ['Moved: in_progress → of_old', 'Moved: In progress → of old'],
    [
      'The task stays in "pr_review": no transition is open for a person',
      'The task stays in “Review”: no transition is open for a person',
    ],
    ['pull_request: #4 Keep snake_case', 'Pull request: #4 Keep snake_case'],
    ['Agent completed with pr_ready in 9.6 s ($0.4120)', 'Agent completed with “ready for review” in 9.6 s ($0.41)'],
    ['Agent completed with no outcome in 1.0 s', 'Agent completed with no outcome in 1.0 s'],
    ['Agent completed: Rename foo_bar (pr_ready)', 'Agent completed: Rename foo_bar (ready for review)'],
    [
      'Schedule Weekly saved, next at 2026-11-23T06:00:00.000Z',
      `Schedule Weekly saved, next at ${showDay('2026-11-23T06:00:00.000Z')}`,
    ],
    ['Worktree /tmp/a_b on agent/x_y', 'Worktree /tmp/a_b on agent/x_y'],
  ])('is said in words: %s', (summary, words) => expect(eventWords(summary, STATUSES)).toBe(words));
});
