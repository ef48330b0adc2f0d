import { lastClarified } from '@attractor/pipeline';
import { listEvents, type PlatformEvent, type Reader, type Store, type Task } from '@attractor/store';
import { type CodingSession, sessionOf } from './coding-session.ts';
import { ACTION_EVENTS, completedActions } from './completed-actions.ts';
import { readFacts } from './read-states.ts';

/** A task as a coding session, with everything that was done so far. Null if its pipeline is gone. */
export async function readSession(store: Store, task: Task): Promise<CodingSession | null> {
  const [facts] = await readFacts(store, [task], { depth: 'steps' });
  if (facts === undefined) return null;
  const db = store.read;
  const [last] = await listEvents(db, { taskId: task.id, from: 'newest', limit: 1 });
  const told = await allOf(db, task.id);
  return sessionOf({
    facts,
    clarified: lastClarified(told),
    actions: completedActions(told),
    updatedAt: last?.at ?? task.updatedAt,
  });
}

async function allOf(db: Reader, taskId: string): Promise<ReadonlyArray<PlatformEvent>> {
  const all: PlatformEvent[] = [];
  for (;;) {
    const page = await listEvents(db, {
      taskId,
      type: [...ACTION_EVENTS, 'task.clarified'],
      after: all.at(-1)?.seq ?? 0,
      limit: PAGE,
    });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

const PAGE = 1_000;
