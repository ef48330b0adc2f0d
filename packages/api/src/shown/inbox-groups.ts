import type { TaskRow } from '../views/task-list.ts';
import type { Inbox, InboxItem } from '@attractor/states';
import { counted } from './amounts.ts';
import { besideTitle } from './beside-title.ts';

export type InboxGroup = { readonly label: string; readonly items: ReadonlyArray<InboxItem> };

export type WaitKind = Exclude<InboxItem['prompt'], null>['type'] | InboxItem['state']['kind'];

/** What is asked, in the order in which it holds others up. */
const LABELS: ReadonlyArray<readonly [WaitKind, string]> = [
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
    const kind = kindOf(item);
    const label = LABELS.find(([known]) => known === kind)?.[1] ?? 'Other';
    groups.set(label, [...(groups.get(label) ?? []), item]);
  }
  return [...groups].filter(([, own]) => own.length > 0).map(([label, own]) => ({ label, items: own }));
}

export function kindOf(item: InboxItem): WaitKind {
  return item.prompt?.type ?? (isReview(item) ? 'review' : item.state.kind);
}

/** Work that waits to be looked at, in a pipeline that asks no question about it. */
function isReview({ state, branch }: InboxItem): boolean {
  return state.kind === 'waiting' && branch !== null;
}

/** What an entry says below its title: what is asked in particular, never its group's word again. Empty if nothing more is known. */
export function askedLine(item: InboxItem, change: TaskRow['change'] = null): string {
  const { prompt, state, task } = item;
  if (kindOf(item) === 'review') return change === null ? (item.branch ?? '') : changed(change);
  if (prompt === null) {
    const why = state.label.split(': ').slice(1).join(': ');
    return why.charAt(0).toUpperCase() + why.slice(1);
  }
  switch (prompt.type) {
    case 'tool_approval':
      return (prompt.payload.command ?? '').trim() || prompt.title;
    case 'question':
      return prompt.payload.questions?.map(({ question }) => question).join(' ') ?? prompt.payload.question ?? '';
    case 'options':
      return prompt.payload.options?.map(({ label }) => label).join(' · ') ?? '';
    case 'split_proposal':
      return prompt.payload.subtasks.map(({ title }) => title).join(' · ');
    case 'plan_approval':
      return sentences(prompt.payload.plan ?? '');
    default:
      return besideTitle(prompt.title, task.title);
  }
}

function changed({ files, additions, deletions }: NonNullable<TaskRow['change']>): string {
  return `${counted(files, 'file')}, +${additions} −${deletions}`;
}

/** How a plan begins, without its heads and marks: two that are laid out alike differ soon. */
function sentences(plan: string): string {
  const lines = plan.replaceAll(/^#.*$/gm, '').replaceAll(/[*`]/g, '').split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('|'))
    .slice(0, 4)
    .join(' ');
}

/** Names an item in the address: by its question, or by its task if there is none. */
export function itemName({ prompt, task }: InboxItem): string {
  return prompt === null ? task.key : prompt.key;
}
