import type { PermissionRule } from '@attractor/policy';
import type { profileFor } from '@attractor/agent';
import type { Client } from '@attractor/llm';
import type { SettingsOfPerson } from './permissions.ts';

export type NativeAgentOptions = {
  readonly client: Client;
  readonly defaultProvider: string;
  /** Absent: the profile's own. */
  readonly defaultModel?: string;
  /** Permission rules of whoever runs this, beside the mode `acceptEdits` in the run's own worktree. */
  readonly rules?: ReadonlyArray<PermissionRule>;
  /** Whose settings count, and where trust in repositories is kept. Absent: nobody's. */
  readonly settings?: SettingsOfPerson;
  /** Tools and prompt of the model's family. Absent: what suits the run's provider and model. */
  readonly createProfile?: typeof profileFor;
};
