import type { PlatformEvent, Task } from '@attractor/store';

/** What is wanted, from the task and all that people answered, where no agent put it into words. */
export function clarifiedQuery(
  { title, description }: Pick<Task, 'title' | 'description'>,
  events: ReadonlyArray<PlatformEvent>,
): string {
  const asked = new Map<string, string>();
  const answered: string[] = [];
  for (const event of events) {
    if (event.type === 'needs_info.sent') for (const { id, question } of event.data.questions) asked.set(id, question);
    if (event.type !== 'info.provided' && event.type !== 'option.selected') continue;
    for (const { questionId, answer } of event.data.answers ?? [])
      answered.push(`- ${asked.get(questionId) ?? questionId} ${answer}`);
    const { message = '' } = event.data;
    if (message !== '') answered.push(`- ${message}`);
  }
  return [title, description.trim(), answered.join('\n')].filter((part) => part !== '').join('\n\n');
}

/** As it was last clarified. Null: nobody did. */
export function lastClarified(events: ReadonlyArray<PlatformEvent>): string | null {
  return events.findLast((event) => event.type === 'task.clarified')?.data.clarified_query ?? null;
}
