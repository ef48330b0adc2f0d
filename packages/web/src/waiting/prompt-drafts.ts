import { textsIn } from '@attractor/api/shown';
import { forgetDraft, readDraft } from '../data/draft.ts';

/** A form keeps what is written in these parts, each under the prompt's id: words, the plan, subtasks, those left out. */
const PARTS = ['', '.plan', '.split', '.left'] as const;

/** Prompts whose answer is on its way: what was written for them is not left over. */
const answering = new Set<string>();

/** What somebody has written for a prompt and not sent, for reading; empty if nothing. */
export function leftDraft(promptId: string): string {
  if (answering.has(promptId)) return '';
  const [words, plan, subtasks] = PARTS.map((part) => readDraft(promptId + part));
  return [textsIn(words ?? ''), plan ?? '', textsIn(subtasks ?? '')].filter(Boolean).join('\n\n');
}

export function forgetPromptDrafts(promptId: string): void {
  for (const part of PARTS) forgetDraft(promptId + part);
}

/** While `send` is under way the drafts of the prompt belong to it. */
export async function whileAnswering<Sent>(promptId: string, send: () => Promise<Sent>): Promise<Sent> {
  answering.add(promptId);
  try {
    return await send();
  } finally {
    answering.delete(promptId);
  }
}
