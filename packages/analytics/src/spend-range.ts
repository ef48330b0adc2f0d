import { done } from '@attractor/base';
import { refuse, type Result, SLOT_MS, slotOf } from '@attractor/store';
import type { SpendFilter } from './spend.ts';
import { firstSlotOf, isTimeZone, nextDate } from './local-day.ts';

/** The slots that a filter covers: `from` included, `to` excluded. Null: unbounded. */
export type SlotRange = { readonly from: number | null; readonly to: number | null; readonly timeZone: string };

export function readRange(filter: SpendFilter): Result<SlotRange> {
  const timeZone = filter.timeZone ?? 'UTC';
  if (!isTimeZone(timeZone))
    return refuse('invalid', `"${timeZone}" is not a time zone: give a name such as Europe/Berlin.`);
  const from = readBound(filter.from, (date) => firstSlotOf(date, timeZone), 0);
  const to = readBound(filter.to, (date) => firstSlotOf(nextDate(date), timeZone), 1);
  for (const [name, bound] of [
    ['from', from],
    ['to', to],
  ] as const)
    if (bound === undefined)
      return refuse(
        'invalid',
        `"${filter[name] ?? ''}" is not a time for "${name}": give a date (2026-11-15) or an ISO time.`,
      );
  return done({ from: from ?? null, to: to ?? null, timeZone });
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Undefined: it can't be parsed. */
function readBound(
  text: string | undefined,
  ofDate: (date: string) => number,
  extra: number,
): number | null | undefined {
  if (text === undefined || text === '') return null;
  const time = Date.parse(text);
  if (!/^\d{4}-/.test(text) || Number.isNaN(time)) return undefined;
  return DATE.test(text) ? ofDate(text) : slotOf(text) + extra;
}

export function timeOfSlot(slot: number): string {
  return new Date(slot * SLOT_MS).toISOString();
}
