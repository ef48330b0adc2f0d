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

/** Forms of several fields keep them as JSON: of those, what a person wrote. */
function textsIn(kept: string): string {
  try {
    return texts(JSON.parse(kept)).filter(Boolean).join('\n');
  } catch {
    return kept;
  }
}

function texts(value: unknown): ReadonlyArray<string> {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(texts);
  return typeof value === 'string' ? [value] : [];
}
