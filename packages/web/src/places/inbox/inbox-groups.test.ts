import type { Inbox, InboxItem } from '@attractor/api';
import { expect, it } from 'vitest';
import { groupInbox, itemName } from './inbox-groups.ts';

function item(key: string, kind: InboxItem['state']['kind'], type?: string): InboxItem {
  const prompt = type === undefined ? null : { key: `${key}.q1`, type };
  return { task: { key }, state: { kind }, prompt } as unknown as InboxItem;
}

it('groups what waits by kind, keeps the longest wait first, and loses nothing that it does not know', () => {
  const inbox: Inbox = {
    items: [
      item('A-1', 'failed'),
      item('A-2', 'waiting', 'review'),
      item('A-3', 'waiting', 'tool_approval'),
      item('A-4', 'by_hand'),
      item('A-5', 'failed'),
    ],
    left: 0,
  };
  const groups = groupInbox(inbox).map(({ label, items }) => [label, items.map(itemName)]);
  expect(groups).toEqual([
    ['Allow a command', ['A-3.q1']],
    ['Reviews', ['A-2.q1']],
    ['Failed', ['A-1', 'A-5']],
    ['Other', ['A-4']],
  ]);
});
