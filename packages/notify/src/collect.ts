import type { Redactor } from '@attractor/redact';
import {
  findCursor,
  findOrStartCursor,
  findProject,
  findTask,
  insertDelivery,
  lastSeq,
  listEvents,
  moveCursor,
  type NotificationType,
  type PlatformEvent,
  type Project,
  type Store,
  type Tx,
} from '@attractor/store';
import { type ChannelSettings, isWanted } from './channel-settings.ts';
import { notificationOf, TOLD_EVENTS } from './notification.ts';

export type Collecting = {
  readonly name: string;
  readonly settings: ChannelSettings;
  readonly isQuiet: boolean;
  readonly redactor: Redactor;
};

const PAGE = 200;
/** How much of the log may be read again after a restart if there was nothing to notify about. */
const REREAD = 1_000;

/**
 * Turns events since the cursor into deliveries; the cursor moves in the same transaction, so a crash or two concurrent readers neither
 * lose nor duplicate anything. Returns the position up to which this process need not look again.
 */
export async function collect(store: Store, on: Collecting, seen: number): Promise<number> {
  const cursor =
    (await findCursor(store.read, on.name)) ?? (await store.transact((tx) => findOrStartCursor(tx, on.name)));
  const from = Math.max(seen, cursor.seq);
  const head = await lastSeq(store.read);
  if (head <= from) return from;
  const events = await listEvents(store.read, { after: from, type: TOLD_EVENTS, limit: PAGE });
  const end = events.length < PAGE ? Math.max(head, events.at(-1)?.seq ?? 0) : (events.at(-1)?.seq ?? head);
  if (events.length === 0 && end - cursor.seq < REREAD) return end;
  await store.transact(async (tx) => {
    const { seq } = await findOrStartCursor(tx, on.name);
    for (const event of events) if (event.seq > seq) await deliverEvent(tx, event, on);
    await moveCursor(tx, on.name, end);
  });
  return events.length < PAGE ? end : collect(store, on, end);
}

async function deliverEvent(tx: Tx, event: PlatformEvent, on: Collecting): Promise<void> {
  const project = await findProject(tx, event.projectId);
  const task = event.taskId === null ? null : await findTask(tx, event.taskId);
  const told = notificationOf(event, { projectName: project?.name ?? 'Attractor', task });
  if (told === null) return;
  const { type, critical } = told.notification;
  if (type === 'digest' || type === 'test' || !isWanted(on.settings, type) || isMuted(project, type)) return;
  await insertDelivery(tx, {
    channel: on.name,
    dedupKey: told.dedupKey,
    state: on.isQuiet && !critical ? 'held' : 'due',
    notification: on.redactor.value(told.notification),
  });
}

const PROJECT_SWITCHES: Readonly<Record<string, ReadonlyArray<NotificationType>>> = {
  agentCompleted: ['agent.completed'],
  agentFailed: ['agent.failed', 'agent.timeout'],
  humanInputNeeded: ['pipeline.waiting'],
};

/** A project can mute these switches, or a single type by name. */
function isMuted(project: Project | null, type: NotificationType): boolean {
  const switches = Object.entries(project?.config.notifications ?? {});
  return switches.some(([name, on]) => !on && (name === type || PROJECT_SWITCHES[name]?.includes(type) === true));
}
