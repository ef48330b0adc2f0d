import type { Project } from '@attractor/platform';

/** What people choose for the runs of a project, as fields of a form; an empty one is not set. */
export type ProjectDraft = Readonly<
  Record<'permissionMode' | 'defaultAgentType' | 'defaultPipeline' | 'approver' | 'most', string>
>;

export function projectDraft({ config }: Project): ProjectDraft {
  return {
    permissionMode: config.permissionMode ?? '',
    defaultAgentType: config.defaultAgentType ?? '',
    defaultPipeline: config.defaultPipeline ?? '',
    approver: config.approver ?? '',
    most: config.maxConcurrentRuns === undefined ? '' : String(config.maxConcurrentRuns),
  };
}

/** What is left empty is taken away. */
export function projectConfig(draft: ProjectDraft) {
  const chosen = (value: string) => (value === '' ? null : value);
  return {
    permissionMode: chosen(draft.permissionMode) as NonNullable<Project['config']['permissionMode']> | null,
    defaultAgentType: chosen(draft.defaultAgentType),
    defaultPipeline: chosen(draft.defaultPipeline),
    approver: chosen(draft.approver) as NonNullable<Project['config']['approver']> | null,
    maxConcurrentRuns: draft.most === '' ? null : Number(draft.most),
  };
}
