import { addUsage } from '@attractor/llm';
import type { SessionView } from '../session/view.ts';
import type { CompactedEvent } from '../types/index.ts';
import type { Span } from './prefix.ts';

/** What is sent in place of the turns before `keptFrom`. The turns themselves stay in the view: history and recall have them. */
export type Compaction = {
  readonly prefix: string;
  readonly summary: string;
  readonly keptFrom: number;
  readonly spans: ReadonlyArray<Span>;
};

/** The count of the last exchange holds no longer: what is sent next is another, smaller conversation. */
export function withCompaction(view: SessionView, event: CompactedEvent): SessionView {
  const { id, prefix, summary, keptTurns, usage } = event;
  const from = view.compaction?.keptFrom ?? 0;
  const keptFrom = Math.max(from, view.turnsBefore + view.turns.length - keptTurns);
  const spans = [...(view.compaction?.spans ?? []), { id, from, to: keptFrom }];
  return {
    ...view,
    compaction: { prefix, summary, keptFrom, spans },
    usage: usage === undefined ? view.usage : addUsage(view.usage, usage),
    lastUsage: null,
  };
}
