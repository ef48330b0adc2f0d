import type { GitPerson } from '@attractor/git';
import { type NewEvent, type Store, type ReportedEvent, transactionTime, type Tx } from '@attractor/store';
import type { Finding } from './findings.ts';
import type { SupervisorSettings } from './settings.ts';

/** What a check may use. */
export type SupervisorContext = {
  readonly store: Store;
  readonly home: string;
  readonly author: GitPerson;
  readonly settings: SupervisorSettings;
};

/**
 * Looks for one type of trouble and ends it. It may run at any time, also in two processes at once: every change to the database is decided
 * in the transaction that makes it.
 */
export type Check = (watch: SupervisorContext) => Promise<ReadonlyArray<Finding>>;

const SUPERVISOR = { type: 'supervisor', name: 'supervisor' } as const;

/** True exactly once per key, for all time. */
export async function once(tx: Tx, key: string): Promise<boolean> {
  const marked = await tx
    .insertInto('supervisor_marks')
    .values({ key, created_at: transactionTime(tx) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst();
  return (marked.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

type Subject = { readonly projectId: string; readonly taskId: string | null; readonly runId: string | null };

/** The event that reports a finding. */
export function findingEvent(subject: Subject, event: ReportedEvent): NewEvent {
  return { ...subject, ...event, actor: SUPERVISOR };
}

export function finding(check: string, subject: Omit<Subject, 'projectId'>, summary: string): Finding {
  return { check, taskId: subject.taskId, runId: subject.runId, summary };
}
