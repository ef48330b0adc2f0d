import type { Id } from '@attractor/base/id';
import type { Actor } from './actor.ts';
import type { EventCategory, EventLevel } from './event-category.ts';
import type { EventData, EventType } from './event-types.ts';

/** What an event has besides its type and data. */
type EventFrame = {
  readonly seq: number;
  readonly id: Id<'evt'>;
  readonly at: string;
  readonly projectId: string;
  readonly taskId: string | null;
  readonly runId: string | null;
  /** `unknown` only if a later version wrote a word that this one does not have. */
  readonly category: EventCategory | 'unknown';
  readonly level: EventLevel;
  readonly summary: string;
  readonly actor: Actor;
};

/** What this version can't parse is kept as written: another version may be able to. */
type Unread = { readonly unknown: { readonly type: string; readonly data: Readonly<Record<string, unknown>> } };

type EventPayloads = EventData & Unread;

/** An event of one of these types: noun and verb, such as `task.created`. */
export type EventOf<Type extends keyof EventPayloads> = {
  [Name in Type]: EventFrame & { readonly type: Name; readonly data: EventPayloads[Name] };
}[Type];

/**
 * One thing that happened, in the one log. `seq` orders all events of a store and never repeats; `at` only informs. Appended in the
 * transaction of the change that it reports, never changed after.
 */
export type PlatformEvent = EventOf<keyof EventPayloads>;

/** An event before it has a place in the log; its category follows from its type, and so does its level unless it says otherwise. */
export type NewEvent = ReportedEvent & {
  readonly projectId: string;
  readonly taskId?: string | null;
  readonly runId?: string | null;
  readonly actor: Actor;
};

/** What is reported, without where and by whom. */
export type ReportedEvent<Type extends EventType = EventType> = {
  [Name in Type]: {
    readonly type: Name;
    readonly summary: string;
    readonly level?: EventLevel;
    /** With the run: the event is stored once, however often it is reported. */
    readonly key?: string;
  } & (object extends EventData[Name] ? { readonly data?: EventData[Name] } : { readonly data: EventData[Name] });
}[Type];

/** One handler for each type of event that the table covers. */
export type ByEvent<
  Args extends ReadonlyArray<unknown>,
  Answer,
  Type extends keyof EventPayloads = keyof EventPayloads,
> = {
  readonly [Name in Type]?: (event: EventOf<Name>, ...args: Args) => Answer;
};

/** Live text of a running agent; fanned out, never stored. */
export type LiveDelta = {
  readonly taskId: string;
  readonly runId: string;
  readonly delta: Readonly<Record<string, unknown>> & { readonly kind: string };
};

/** Events of the whole store belong to no project. */
export const NO_PROJECT = '';
