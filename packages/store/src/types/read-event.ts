import { EVENT_CATEGORIES, EVENT_LEVELS } from './event-category.ts';
import type { ByEvent, EventOf, PlatformEvent } from './event.ts';
import { EVENT_TYPES, type EventData, type EventType, isEventType } from './event-types.ts';
import { isShaped, oneOf, record } from './shape.ts';

/** An event as stored or sent. */
export type RawEvent = Omit<PlatformEvent, 'type' | 'data' | 'category' | 'level'> & {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly category: string;
  readonly level: string;
};

/**
 * The only place where the log is decoded. An unknown type, or data that does not fit its type, becomes an event of the type
 * `unknown` that keeps both, for readers that know it.
 */
export function readEvent(raw: RawEvent): PlatformEvent {
  const category: PlatformEvent['category'] = isCategory(raw.category) ? raw.category : 'unknown';
  const level = isLevel(raw.level) ? raw.level : 'info';
  const { type, data } = asWritten(raw);
  const event = { ...raw, category, level, type, data };
  if (isRead(event)) return event;
  return { ...event, type: 'unknown', data: { type, data } };
}

/** Whether data from outside fits an event of this type. */
export function isDataOf<Type extends EventType>(type: Type, data: unknown): data is EventData[Type] {
  return isShaped(EVENT_TYPES[type].data, data);
}

/** Calls the handler in a table for events of this type. */
export function answerBy<Args extends ReadonlyArray<unknown>, Answer, Type extends PlatformEvent['type']>(
  table: ByEvent<Args, Answer, Type>,
  event: EventOf<Type>,
  ...args: Args
): Answer | undefined {
  return table[event.type]?.(event, ...args);
}

const isCategory = oneOf(EVENT_CATEGORIES);
const isLevel = oneOf(EVENT_LEVELS);

/** An older reader on the way may have wrapped it as unknown. */
function asWritten({ type, data }: Pick<RawEvent, 'type' | 'data'>): Pick<RawEvent, 'type' | 'data'> {
  const { type: inner, data: kept } = data;
  return type === 'unknown' && typeof inner === 'string' && record(kept) ? { type: inner, data: kept } : { type, data };
}

function isRead(event: Pick<RawEvent, 'type' | 'data'> & Omit<PlatformEvent, 'type' | 'data'>): event is PlatformEvent {
  return isEventType(event.type) && isDataOf(event.type, event.data);
}
