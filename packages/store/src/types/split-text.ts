import type { NewSubtask } from './split.ts';

type Proposed = { readonly reason?: string; readonly subtasks: ReadonlyArray<NewSubtask> };

/** Everything that would become a task, so that nothing is approved unseen. */
export function splitText({ reason, subtasks }: Proposed): string {
  const parts = subtasks.map(({ name, title, description = '', ...more }, at) => {
    const { acceptanceCriteria = [], dependsOn = [], pipelineId, agentType } = more;
    return [
      `${at + 1}. [${name}] ${title}`,
      ...(dependsOn.length === 0 ? [] : [`   after: ${dependsOn.join(', ')}`]),
      ...(pipelineId === undefined ? [] : [`   pipeline: ${pipelineId}`]),
      ...(agentType === undefined ? [] : [`   agent: ${agentType}`]),
      ...description.split('\n').flatMap((line) => (line.trim() === '' ? [] : [`   ${line}`])),
      ...acceptanceCriteria.map((criterion) => `   - [ ] ${criterion}`),
    ].join('\n');
  });
  return [...(reason === undefined ? [] : [reason]), ...parts].join('\n\n');
}
