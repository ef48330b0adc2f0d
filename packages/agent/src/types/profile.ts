import type { ModelFamily } from '@attractor/llm';
import type { ToolDefinition, ToolRegistry } from './tool.ts';

/** A profile is named for its family of models. */
export type ProfileId = ModelFamily;

/** How a family of models likes to work: its tools, system text, documents and timeouts. Knows nothing of sessions. */
export type ProviderProfile = {
  readonly id: ProfileId;
  readonly displayName: string;
  readonly defaultModel: string;
  readonly toolRegistry: ToolRegistry;
  readonly supportsParallelToolCalls: boolean;
  readonly buildSystemPrompt: (context: SystemPromptContext) => string;
  /** The whole system text. If it is given, nothing is built, and neither git nor project documents are read. */
  readonly systemText?: string;
  readonly projectDocFiles: ReadonlyArray<string>;
  /** The person's own documents that its system text has. Absent: none. */
  readonly userDocuments?: ReadonlyArray<string>;
  readonly defaultCommandTimeout: number;
};

export type SystemPromptContext = {
  readonly platform: string;
  readonly osVersion: string;
  readonly workingDirectory: string;
  /** Further folders that tools may work in. Absent: none. */
  readonly furtherFolders?: ReadonlyArray<string>;
  /** What commands can't do. Absent: nothing is forbidden to them. */
  readonly limits?: string;
  readonly gitBranch: string | null;
  readonly gitStatus: string | null;
  readonly gitLog: string | null;
  readonly date: string;
  readonly model: string;
  readonly projectDocs: string;
  /** No document is told, the person's neither. Absent: all are. */
  readonly omitsDocs?: boolean;
  readonly userInstruction: string | null;
  /** The tools that the session offers. Absent: those of the profile's registry. */
  readonly tools?: ReadonlyArray<ToolDefinition>;
};
