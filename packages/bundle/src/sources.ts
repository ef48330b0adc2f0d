import type { Redactor } from '@attractor/redact';
import type { AgentRun, Store, Task } from '@attractor/store';

/** Where the parts of a bundle come from. */
export type BundleSources = {
  readonly store: Store;
  /** Where runs keep their journals and outputs. */
  readonly home: string;
  /** Values that must not leave, wherever they stand. */
  readonly secrets: ReadonlyArray<string>;
};

/** The run that is written, and what takes secrets out of its parts. */
export type WrittenRun = BundleSources & {
  readonly run: AgentRun;
  readonly task: Task;
  readonly redactor: Redactor;
};
