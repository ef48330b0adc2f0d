import type { StartBlock } from '@attractor/store';

/**
 * The place that a run takes among those that its worker and the caps allow at once. `rest` gives it back while the run waits for a person;
 * `wake` takes it again and says whether there was one. `force` takes it in any case, for a run that can't be left where it is.
 */
export type Slot = {
  readonly rest: (block: StartBlock) => Promise<void>;
  readonly wake: () => Promise<boolean>;
  readonly force: () => Promise<void>;
};

/** `finished`: its job is known to be done. After anything else the worker looks whether the job is still its own, and gives it back. */
export type WorkEnd = 'finished' | void;
