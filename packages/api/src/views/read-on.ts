import type { EventFilter, Workflow } from '@attractor/platform';
import type { Fold, View } from './fold.ts';

export type Reading<V extends View> = {
  readonly workflow: Pick<Workflow, 'events'>;
  readonly fold: Fold<V>;
  readonly view: V;
  readonly filter: EventFilter;
};

const PAGE = 1000;

/** The view updated with the log after its `seq`: a viewer starts from it and folds the stream. */
export async function readOn<V extends View>({ workflow, fold, view, filter }: Reading<V>): Promise<V> {
  let current = view;
  for (;;) {
    const events = await workflow.events({ ...filter, after: current.seq, limit: PAGE });
    current = fold.foldAll(current, events);
    if (events.length < PAGE) return current;
  }
}
