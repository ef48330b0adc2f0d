import { EVENT_CATEGORIES, EVENT_LEVELS } from './event-category.ts';
import type { ByEvent, EventOf, PlatformEvent } from './event.ts';
import { EVENT_TYPES, type EventData, type EventType, isEventType } from './event-types.ts';
import { isShaped, oneOf, record } from './shape.ts';

/** An event as a database or a wire has it. */
export type RawEvent = Omit<PlatformEvent, 'type' | 'data' | 'category' | 'level'> & {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly category: string;
  readonly level: string;
};

/**
 * The one place where the log is read. What this version does not know, be it the type or what it carries, becomes an event of the type
 * `unknown` that keeps both; whoever knows it reads it from there.
 */
export function readEvent(raw: RawEvent): PlatformEvent {
  const category: PlatformEvent['category'] = isCategory(raw.category) ? raw.category : 'unknown';
  const level = isLevel(raw.level) ? raw.level : 'info';
  const { type, data } = asWritten(raw);
  const event = { ...raw, category, level, type, data };
  if (isRead(event)) return event;
  return { ...event, type: 'unknown', data: { type, data } };
}

/** Whether what came from outside is what an event of this type carries. */
export function isDataOf<Type extends EventType>(type: Type, data: unknown): data is EventData[Type] {
  return isShaped(EVENT_TYPES[type].data, data);
}

/** Asks whoever in a table cares about events of this type. */
export function answerBy<Args extends ReadonlyArray<unknown>, Answer, Type extends PlatformEvent['type']>(
  table: ByEvent<Args, Answer, Type>,
  event: EventOf<Type>,
  ...args: Args
): Answer | undefined {
  return table[event.type]?.(event, ...args);
}

const isCategory = oneOf(EVENT_CATEGORIES);
const isLevel = oneOf(EVENT_LEVELS);

/** An older reader on the way may have put it aside. */
function asWritten({ type, data }: Pick<RawEvent, 'type' | 'data'>): Pick<RawEvent, 'type' | 'data'> {
  const { type: inner, data: kept } = data;
  return type === 'unknown' && typeof inner === 'string' && record(kept) ? { type: inner, data: kept } : { type, data };
}

function isRead(event: Pick<RawEvent, 'type' | 'data'> & Omit<PlatformEvent, 'type' | 'data'>): event is PlatformEvent {
  return isEventType(event.type) && isDataOf(event.type, event.data);
}
