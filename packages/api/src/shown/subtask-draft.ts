import type { PromptAnswer, PromptOf } from '@attractor/platform';

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

/** A part as an agent proposes it. */
export type ProposedPart = PromptOf<'split_proposal'>['payload']['subtasks'][number];

/** The same for a person to change. */
export function subtaskDraft({
  name,
  title,
  description = '',
  acceptanceCriteria = [],
  dependsOn = [],
  ...rest
}: ProposedPart): SubtaskDraft {
  const { pipelineId, agentType } = rest;
  return {
    name,
    title,
    description,
    criteria: acceptanceCriteria.join('\n'),
    after: dependsOn.join(' '),
    ...(pipelineId === undefined ? {} : { pipelineId }),
    ...(agentType === undefined ? {} : { agentType }),
  };
}

/** What an approval says, and what goes along with it: all parts, some, or what a person made of them. */
export function splitApproval(
  edited: ReadonlyArray<SubtaskDraft> | null,
  left: ReadonlySet<string>,
  only: ReadonlyArray<string>,
) {
  if (edited !== null)
    return { approve: `Split it into these ${edited.length}`, approval: { subtasks: subtasksOf(edited) } };
  return left.size === 0
    ? { approve: 'Split it like this' }
    : { approve: `Make these ${only.length}`, approval: { only } };
}
