import { addUsage, type Usage } from '@attractor/llm';
import type { CompactedEvent, Turn } from '../types/index.ts';

/** A part of the conversation that is not sent any more: turns from `from` to before `to`, counted from 0. */
export type Span = { readonly id: string; readonly from: number; readonly to: number };

/** What is sent in place of the turns before `keptFrom`. The turns themselves stay in the view: history and recall have them. */
export type Compaction = {
  readonly prefix: string;
  readonly summary: string;
  readonly keptFrom: number;
  readonly spans: ReadonlyArray<Span>;
};

/** The part of a conversation that a compaction changes. */
type Compactable = {
  readonly turns: ReadonlyArray<Turn>;
  readonly turnsBefore: number;
  readonly compaction: Compaction | null;
  readonly usage: Usage;
  readonly lastUsage: Usage | null;
};

/** The token count of the last exchange no longer applies: the conversation sent next is another, smaller one. */
export function withCompaction<View extends Compactable>(view: View, event: CompactedEvent): View {
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
