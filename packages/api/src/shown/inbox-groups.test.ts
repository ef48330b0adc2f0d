import type { Inbox, InboxItem } from '@attractor/states';
import { expect, it } from 'vitest';
import { askedLine, groupInbox, itemName } from './inbox-groups.ts';

function item(key: string, kind: InboxItem['state']['kind'], type?: string): InboxItem {
  const prompt = type === undefined ? null : { key: `${key}.q1`, type };
  return {
    task: { key },
    state: { kind },
    prompt,
    branch: kind === 'waiting' ? `agent/${key}` : null,
  } as unknown as InboxItem;
}

it('groups what waits by kind, keeps the longest wait first, and loses nothing that it does not know', () => {
  const inbox: Inbox = {
    items: [
      item('A-1', 'failed'),
      item('A-2', 'waiting', 'review'),
      item('A-3', 'waiting', 'tool_approval'),
      item('A-4', 'by_hand'),
      item('A-5', 'failed'),
      item('A-6', 'waiting'),
    ],
    left: 0,
  };
  const groups = groupInbox(inbox).map(({ label, items }) => [label, items.map(itemName)]);
  expect(groups).toEqual([
    ['Allow a command', ['A-3.q1']],
    ['Reviews', ['A-2.q1', 'A-6']],
    ['Failed', ['A-1', 'A-5']],
    ['Other', ['A-4']],
  ]);
});

it('says below a title what is asked in particular, and not the word of its group again', () => {
  const asked = (type: string, payload: object) =>
    askedLine({ task: { title: 'Fix it' }, prompt: { type, title: `Asked: Fix it`, payload } } as unknown as InboxItem);
  const standing = (label: string) => askedLine({ state: { label }, prompt: null } as unknown as InboxItem);
  expect(asked('tool_approval', { command: 'make\nrm -rf build\n' })).toBe('make\nrm -rf build');
  expect(asked('tool_approval', { command: null })).toBe('Asked: Fix it');
  expect(asked('question', { questions: [{ question: 'Which format?' }, { question: 'Which zone?' }] })).toBe(
    'Which format? Which zone?',
  );
  expect(asked('options', { options: [{ label: 'On disk' }, { label: 'In memory' }] })).toBe('On disk · In memory');
  expect(asked('split_proposal', { subtasks: [{ title: 'The form' }] })).toBe('The form');
  expect(asked('plan_approval', { plan: '# Goal\n\nTry **again**.\n\n1. Twice.\n\n| a | b |' })).toBe(
    'Try again. 1. Twice.',
  );
  const review = item('A-2', 'waiting', 'review');
  expect(askedLine(review)).toBe('agent/A-2');
  expect(askedLine(review, { files: 3, additions: 12, deletions: 0 })).toBe('3 files, +12 −0');
  expect(asked('budget', {})).toBe('Asked');
  expect(standing('Failed: the agent: it ended')).toBe('The agent: it ended');
  expect(standing('Accepted, not merged')).toBe('');
});
