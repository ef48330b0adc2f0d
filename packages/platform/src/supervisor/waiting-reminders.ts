import { appendEvents, findPrompt, findTask, transactionTime } from '@attractor/store';
import type { Finding } from './findings.ts';
import { type Check, finding, once, findingEvent } from './check.ts';

/** Reminds a person of a question that has waited for a day, once for each further day. */
export const waitingReminders: Check = async ({ store, settings }) => {
  const pending = await store.read
    .selectFrom('prompts')
    .select(['id', 'created_at'])
    .where('status', '=', 'pending')
    .orderBy('id')
    .execute();
  const findings: Finding[] = [];
  for (const { id, created_at } of pending) {
    // A cheap check by this machine's clock; the transaction's own time decides.
    if (dueReminder(created_at, new Date(Date.now() + 60_000).toISOString(), settings.reminderMs) === 0) continue;
    const found = await store.transact(async (tx) => {
      const prompt = await findPrompt(tx, id);
      const task = prompt === null ? null : await findTask(tx, prompt.taskId);
      if (prompt === null || task === null || prompt.status !== 'pending') return null;
      const due = dueReminder(prompt.createdAt, transactionTime(tx), settings.reminderMs);
      if (due === 0 || !(await once(tx, `reminder:${prompt.id}:${due}`))) return null;
      const summary = `Still waiting for a person: ${prompt.title}`;
      const subject = { projectId: task.projectId, taskId: task.id, runId: prompt.runId };
      const data = { promptId: prompt.id, reminder: due };
      await appendEvents(tx, [findingEvent(subject, { type: 'supervisor.reminder_sent', summary, data })]);
      return finding('waiting-reminders', subject, summary);
    });
    if (found !== null) findings.push(found);
  }
  return findings;
};

/** Which reminder is due: 0 for none yet, 1 after the first day, and so on. */
export function dueReminder(askedAt: string, now: string, everyMs: number): number {
  return Math.max(0, Math.floor((Date.parse(now) - Date.parse(askedAt)) / everyMs));
}
