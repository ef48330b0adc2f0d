import type { Client } from '@attractor/llm';
import type {
  ExecutionEnvironment,
  ProviderProfile,
  SessionConfig,
  SessionEndReason,
  ToolRegistry,
} from '../types/index.ts';
import type { Approve } from './contract.ts';
import type { SessionView } from './view.ts';

/** What the steps of the loop share. They read the view; only events that they yield change it. */
export type Run = {
  readonly sessionId: string;
  readonly config: SessionConfig;
  readonly profile: ProviderProfile;
  readonly environment: ExecutionEnvironment;
  readonly client: Client;
  readonly registry: ToolRegistry;
  readonly approve: Approve | undefined;
  readonly signal: AbortSignal;
  readonly view: () => SessionView;
  /** Null while the session may go on. */
  readonly ending: () => SessionEndReason | null;
  /** Closes the session once the step that calls it has returned. */
  readonly fail: (error: Error) => void;
};
