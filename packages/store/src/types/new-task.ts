import type { NewTaskFields } from '@attractor/facts';
import type { RunOverrides } from './run-overrides.ts';

/** The title may be empty only if the template has one. */
export type NewTask = NewTaskFields & {
  readonly projectId: string;
  /** Applies to every run of the task. */
  readonly overrides?: RunOverrides;
};
