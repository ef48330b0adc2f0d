import type { StartBlock } from '../store/jobs.ts';
import type { Tx } from '../store/store.ts';
import type { AgentRun } from '../types/index.ts';

export type { StartBlock } from '../store/jobs.ts';

/**
 * Asked in the transaction that would claim the run's job, for each candidate and again whenever there is room: what it reads is what
 * the claim is made on. A block leaves the job queued with its reason visible. A gate that writes (a reservation) does so only when it
 * answers null, and stands last in the list: its write then stands or falls with the claim. Not asked for a run that lost its worker.
 */
export type StartGate = (tx: Tx, run: AgentRun) => Promise<StartBlock | null>;
