import type { Task, TaskTemplate } from '@attractor/platform';

/** A task while a person writes it. */
export type TaskDraft = {
  readonly projectId: string;
  readonly title: string;
  readonly description: string;
  /** One on each line. */
  readonly criteria: string;
  readonly templateId: string;
  readonly pipelineId: string;
  readonly agentType: string;
  readonly priority: string;
  /** USD; empty: none of its own. */
  readonly budget: string;
};

export const EMPTY_DRAFT: TaskDraft = {
  projectId: '',
  title: '',
  description: '',
  criteria: '',
  templateId: '',
  pipelineId: '',
  agentType: '',
  priority: 'medium',
  budget: '',
};

/** What this browser kept of it. */
export function readTaskDraft(kept: string): Partial<TaskDraft> {
  try {
    const read: unknown = JSON.parse(kept);
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}

/** What the server is sent of it. */
export function newTaskBody({ projectId, title, description, criteria, pipelineId, agentType, priority }: TaskDraft) {
  const acceptanceCriteria = criteria
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    projectId,
    title: title.trim(),
    description,
    priority: priority as Task['priority'],
    ...(acceptanceCriteria.length === 0 ? {} : { acceptanceCriteria }),
    ...(pipelineId === '' ? {} : { pipelineId }),
    ...(agentType === '' ? {} : { overrides: { agentType } }),
  };
}

/** The amount in USD; null if none was given, NaN if it is none that a budget can have. */
export function budgetOf(written: string): number | null {
  if (written.trim() === '') return null;
  const amount = Number(written.replace(',', '.'));
  return amount > 0 && amount <= 1_000_000 ? amount : Number.NaN;
}

/** Beside a field whose amount is none. */
export const BUDGET_EXPECTED = 'An amount in USD above 0 and at most 1,000,000, such as 12.50';

/** A template fills what is still empty. */
export function filledFrom(template: TaskTemplate | null, draft: TaskDraft): Partial<TaskDraft> {
  if (template === null) return { templateId: '' };
  const { title, description, priority, pipelineId, acceptanceCriteria } = template.fields;
  return {
    templateId: template.id,
    title: draft.title === '' ? (title ?? '') : draft.title,
    description: draft.description === '' ? (description ?? '') : draft.description,
    priority: priority ?? draft.priority,
    pipelineId: pipelineId ?? draft.pipelineId,
    criteria: draft.criteria === '' ? (acceptanceCriteria ?? []).join('\n') : draft.criteria,
  };
}
