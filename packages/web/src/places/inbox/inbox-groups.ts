import type { Inbox, InboxItem } from '@attractor/api';

export type InboxGroup = { readonly label: string; readonly items: ReadonlyArray<InboxItem> };

type Kind = Exclude<InboxItem['prompt'], null>['type'] | InboxItem['state']['kind'];

/** What is asked, in the order in which it holds others up. */
const LABELS: ReadonlyArray<readonly [Kind, string]> = [
  ['tool_approval', 'Allow a command'],
  ['question', 'Questions'],
  ['options', 'Choices'],
  ['plan_approval', 'Plans'],
  ['split_proposal', 'Splits'],
  ['budget', 'Budgets'],
  ['review', 'Reviews'],
  ['accepted', 'Accepted, not merged'],
  ['failed', 'Failed'],
  ['stopped', 'Stopped'],
  ['paused', 'Held back'],
  ['queued', 'Held back'],
];

/** Everything that waits, by kind; inside a group the longest wait first, as the server has it. */
export function groupInbox({ items }: Inbox): ReadonlyArray<InboxGroup> {
  const groups = new Map<string, InboxItem[]>(LABELS.map(([, label]) => [label, []]));
  for (const item of items) {
    const kind = item.prompt?.type ?? item.state.kind;
    const label = LABELS.find(([known]) => known === kind)?.[1] ?? 'Other';
    groups.set(label, [...(groups.get(label) ?? []), item]);
  }
  return [...groups].filter(([, own]) => own.length > 0).map(([label, own]) => ({ label, items: own }));
}

/** Names an item in the address: by its question, or by its task if there is none. */
export function itemName({ prompt, task }: InboxItem): string {
  return prompt === null ? task.key : prompt.key;
}
