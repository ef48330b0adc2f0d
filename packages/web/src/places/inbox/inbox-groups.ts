import type { Inbox, InboxItem } from '@attractor/api';
import { besideTitle } from '../../ui/beside-title.ts';

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
    const kind = item.prompt?.type ?? (isReview(item) ? 'review' : item.state.kind);
    const label = LABELS.find(([known]) => known === kind)?.[1] ?? 'Other';
    groups.set(label, [...(groups.get(label) ?? []), item]);
  }
  return [...groups].filter(([, own]) => own.length > 0).map(([label, own]) => ({ label, items: own }));
}

/** Work that waits to be looked at, in a pipeline that asks no question about it. */
function isReview({ state, branch }: InboxItem): boolean {
  return state.kind === 'waiting' && branch !== null;
}

/** What an entry says below its title: what is asked in particular, never its group's word again. Empty if nothing more is known. */
export function askedLine(item: InboxItem): string {
  const { prompt, state, task } = item;
  if (prompt === null && isReview(item)) return item.branch ?? '';
  if (prompt === null) {
    const why = state.label.split(': ').slice(1).join(': ');
    return why.charAt(0).toUpperCase() + why.slice(1);
  }
  switch (prompt.type) {
    case 'tool_approval':
      return firstLine(prompt.payload.command ?? '') || prompt.title;
    case 'question':
      return prompt.payload.questions?.map(({ question }) => question).join(' ') ?? prompt.payload.question ?? '';
    case 'options':
      return prompt.payload.options?.map(({ label }) => label).join(' · ') ?? '';
    case 'split_proposal':
      return prompt.payload.subtasks.map(({ title }) => title).join(' · ');
    case 'plan_approval':
      return firstLine((prompt.payload.plan ?? '').replaceAll(/^#.*$/gm, ''));
    case 'review':
      return prompt.payload.branch ?? '';
    default:
      return besideTitle(prompt.title, task.title);
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

/** Names an item in the address: by its question, or by its task if there is none. */
export function itemName({ prompt, task }: InboxItem): string {
  return prompt === null ? task.key : prompt.key;
}
