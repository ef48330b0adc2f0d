import { createPeopleCommands, type PeopleCommands } from '@attractor/people';
import type { ProjectCommands } from './projects/contract.ts';
import type { TaskCommands } from './tasks/contract.ts';
import type { AttachmentCommands } from './attachments/contract.ts';
import type { ArtifactCommands } from './artifacts/contract.ts';
import type { PipelineCommands } from './pipelines/contract.ts';
import type { RunCommands } from './runs/contract.ts';
import type { PromptCommands } from './prompts/contract.ts';
import type { StateCommands } from './states/contract.ts';
import type { IdCommands } from './ids/contract.ts';
import type { LogCommands } from './log/contract.ts';
import type { CriterionCommands } from './criteria/contract.ts';
import { createCriterionCommands } from './criteria/criteria.ts';
import type { DeltaFan, Store } from '@attractor/store';
import { createProjectCommands } from './projects/commands.ts';
import { createTaskCommands } from './tasks/commands.ts';
import { createAttachmentCommands } from './attachments/commands.ts';
import { createArtifactCommands } from './artifacts/commands.ts';
import { createPipelineCommands } from './pipelines/commands.ts';
import { createRunCommands } from './runs/commands.ts';
import { createPromptCommands } from './prompts/commands.ts';
import { createStateCommands } from './states/commands.ts';
import { createIdCommands } from './ids/commands.ts';
import { createLogCommands } from './log/commands.ts';

/** The only way to change anything. Each command is one transaction that appends its events; it returns once they are on disk. */
export type Workflow = ProjectCommands &
  TaskCommands &
  AttachmentCommands &
  ArtifactCommands &
  PipelineCommands &
  RunCommands &
  PromptCommands &
  StateCommands &
  CriterionCommands &
  IdCommands &
  LogCommands &
  PeopleCommands;

export function createWorkflow(options: {
  readonly store: Store;
  readonly deltas: DeltaFan;
  readonly defaultAgentType: string;
  readonly home: string;
  /** Values that never leave in what is exported. */
  readonly secrets: ReadonlyArray<string>;
}): Workflow {
  return {
    ...createProjectCommands(options),
    ...createTaskCommands(options),
    ...createAttachmentCommands(options),
    ...createArtifactCommands(options),
    ...createPipelineCommands(options),
    ...createRunCommands(options),
    ...createPromptCommands(options),
    ...createStateCommands(options),
    ...createCriterionCommands(options),
    ...createIdCommands(options),
    ...createLogCommands(options),
    ...createPeopleCommands(options),
  };
}
