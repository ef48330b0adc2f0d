import type { Client } from '@attractor/llm';
import type { SessionView } from '../conversation/view.ts';
import type { SessionConfig, SessionEndReason } from '../types/index.ts';

/** `auto`: the window is nearly full. `manual`: a person said /compact. `overflow`: the provider refused the request as too long. */
export type CompactionTrigger = 'auto' | 'manual' | 'overflow';

/** `block`: why it must not happen. `instructions`: what the summary is to heed besides, in place of what was given. */
export type CompactionWord = { readonly block?: string; readonly instructions?: string };

/**
 * Given: a session that outgrows its model's window goes on with a ledger, a summary and its last turns in place of the whole. The
 * history, the journal and what can be undone stay whole. Absent: nothing is ever left out, and an overflow ends the session.
 */
export type CompactionOptions = {
  /** Who writes the summary. Absent: the session's own model. */
  readonly model?: string;
  readonly provider?: string;
  /** Asked right before a compaction; if it throws, that is reported and counts as no objection. */
  readonly beforeCompact?: (
    trigger: CompactionTrigger,
    instructions: string,
  ) => Promise<CompactionWord | undefined> | CompactionWord | undefined;
};

/** What a compaction needs of the session that it happens in. */
export type Compacting = {
  readonly client: Client;
  readonly compaction: CompactionOptions | undefined;
  readonly view: () => SessionView;
  readonly settings: () => { readonly config: SessionConfig };
  readonly signal: AbortSignal;
  /** Null while the session may go on. */
  readonly ending: () => SessionEndReason | null;
};
