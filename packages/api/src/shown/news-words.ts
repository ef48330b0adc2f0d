import type { InboxItem } from '@attractor/states';
import { showControls } from './plain-text.ts';

/** By what it is known that an item is the same. */
export function newsName({ task, prompt }: InboxItem): string {
  return prompt?.key ?? task.key;
}

/** What waits. */
export function askedWords({ prompt, state }: InboxItem): string {
  return showControls(prompt?.title ?? state.label);
}

/** All that begins to wait at once, in one sentence. */
export function newsSentence(items: ReadonlyArray<InboxItem>): string {
  const [first] = items;
  if (first === undefined) return '';
  return items.length === 1
    ? `${first.task.key} waits for you: ${askedWords(first)}`
    : `${items.length} more wait for you: ${items.map(({ task }) => task.key).join(', ')}`;
}
