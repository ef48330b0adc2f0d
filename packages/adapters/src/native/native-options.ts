import type { profileFor } from '@attractor/agent';
import type { Client } from '@attractor/llm';

export type NativeAgentOptions = {
  readonly client: Client;
  readonly defaultProvider: string;
  /** Absent: the profile's own. */
  readonly defaultModel?: string;
  /** Tools and system text of the model's family. Absent: those that suit the run's provider and model. */
  readonly createProfile?: typeof profileFor;
};
