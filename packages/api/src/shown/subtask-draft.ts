import type { PromptAnswer } from '@attractor/platform';

/** A part of a split while a person writes it: lists are lines of text until it is sent. */
export type SubtaskDraft = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** One on each line. */
  readonly criteria: string;
  /** Names, separated by spaces. */
  readonly after: string;
  readonly pipelineId?: string;
  readonly agentType?: string;
};

type Subtasks = NonNullable<PromptAnswer['subtasks']>;

export function subtasksOf(drafts: ReadonlyArray<SubtaskDraft>): Subtasks {
  return drafts.map(({ name, title, description, criteria, after, ...rest }) => ({
    name,
    title: title.trim(),
    ...(description.trim() === '' ? {} : { description }),
    ...listed('acceptanceCriteria', criteria.split('\n')),
    ...listed('dependsOn', after.split(/[\s,]+/)),
    ...rest,
  }));
}

function listed(name: 'acceptanceCriteria' | 'dependsOn', lines: ReadonlyArray<string>) {
  const kept = lines.map((line) => line.trim()).filter((line) => line !== '');
  return kept.length === 0 ? {} : { [name]: kept };
}

/** What was kept in this browser; nothing if it is not a list of parts. */
export function readDrafts(kept: string): ReadonlyArray<SubtaskDraft> | null {
  try {
    const read: unknown = JSON.parse(kept);
    return Array.isArray(read) ? (read as ReadonlyArray<SubtaskDraft>) : null;
  } catch {
    return null;
  }
}

/** A part that nobody has written yet, under a name that is free. */
export function emptyDraft(drafts: ReadonlyArray<SubtaskDraft>): SubtaskDraft {
  const taken = new Set(drafts.map(({ name }) => name));
  let number = drafts.length + 1;
  while (taken.has(`part-${number}`)) number += 1;
  return { name: `part-${number}`, title: '', description: '', criteria: '', after: '' };
}
