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
export function readDraft(kept: string): Partial<TaskDraft> {
  try {
    const read: unknown = JSON.parse(kept);
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}
