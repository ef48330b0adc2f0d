import type { AgentConfig, PipelineDefinition, PlatformWorkflow, Project, Result } from '@attractor/platform';
import type { ConfigOrigin } from '@attractor/project-config';
import type { ApiDocument } from './api-document.ts';
import type { TaskListView } from './views/task-list.ts';
import type { ToolInfo } from './views/tool-label.ts';

/** What a route acts with: the workflow, and the few things that only a server has. */
export type ServerParts = {
  readonly workflow: PlatformWorkflow;
  /** The agents that can be started here. */
  readonly agents: () => Promise<ReadonlyArray<AgentInfo>>;
  readonly tools: () => ReadonlyArray<ToolInfo>;
  /** Null if no agents are known. */
  readonly explainConfig: ((project: Project, agentType?: string) => Promise<Result<RunConfigView>>) | null;
  /** The current list of tasks. It covers the whole log, so it is cached and only read on. */
  readonly taskList: () => Promise<TaskListView>;
  readonly drawPipeline: Readonly<Record<GraphFormat, (pipeline: PipelineDefinition) => string>>;
  readonly readPipeline: (definition: unknown) => Result<PipelineDefinition>;
  readonly describeApi: () => ApiDocument;
};

/** An agent that this server can start, or why it can't. */
export type AgentInfo = {
  readonly type: string;
  readonly displayName: string;
  readonly available: boolean;
  /** Why it is not available, and what to do about it. */
  readonly reason: string | null;
  /** Started if nobody chose another. */
  readonly isDefault: boolean;
  readonly defaults: AgentConfig;
};

/** The configuration that a run of the project would get: each value with its layer and, if that is a file, the line. */
export type RunConfigView = {
  readonly agentType: string;
  readonly values: ReadonlyArray<{
    readonly name: string;
    readonly value: unknown;
    readonly origin: ConfigOrigin | null;
  }>;
  /** What the repository says about agents is ignored, because nobody trusted it. */
  readonly isProjectIgnored: boolean;
};

export type GraphFormat = 'mermaid' | 'svg';
