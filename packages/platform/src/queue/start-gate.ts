import type { Tx } from '../store/store.ts';
import type { AgentRun } from '../types/index.ts';

/** Why a run does not start yet, in words for people. `code` names the gate; `until` is an ISO time where one is known. */
export type StartBlock = { readonly code: string; readonly message: string; readonly until?: string };

/**
 * Asked in the transaction that would claim the run's job, for each candidate and again whenever there is room: what it reads is what
 * the claim is made on, and what it writes stands or falls with the claim. A block leaves the job queued with its reason visible.
 * Not asked for a run that was started before and lost its worker.
 */
export type StartGate = (tx: Tx, run: AgentRun) => Promise<StartBlock | null>;
