import type { Client } from '@attractor/llm';
import type { SessionView } from '../conversation/view.ts';
import type { SessionConfig, SessionEndReason } from '../types/index.ts';

/** `auto`: the window is nearly full. `manual`: a person said /compact. `overflow`: the provider refused the request as too long. */
export type CompactionTrigger = 'auto' | 'manual' | 'overflow';

/** `block`: why the compaction must not happen. `instructions`: what the summary should also cover, replacing the given instructions. */
export type CompactionDecision = { readonly block?: string; readonly instructions?: string };

/**
 * If given, a session that outgrows its model's window continues with a ledger, a summary and its last turns instead of the whole
 * conversation. The history, the journal and what can be undone stay whole. Absent: nothing is ever left out, and an overflow ends the
 * session.
 */
export type CompactionOptions = {
  /** The model that writes the summary. Absent: the session's own model. */
  readonly model?: string;
  readonly provider?: string;
  /** Called right before a compaction. If it throws, the error is reported and counts as no objection. */
  readonly beforeCompact?: (
    trigger: CompactionTrigger,
    instructions: string,
  ) => Promise<CompactionDecision | undefined> | CompactionDecision | undefined;
};

/** What a compaction needs from its session. */
export type CompactionContext = {
  readonly client: Client;
  readonly compaction: CompactionOptions | undefined;
  readonly view: () => SessionView;
  readonly settings: () => { readonly config: SessionConfig };
  readonly signal: AbortSignal;
  /** Null while the session may go on. */
  readonly ending: () => SessionEndReason | null;
};
