import { SLOT_MS, slotOf } from '@attractor/store';

/** Days in a person's time zone, as ranges of slots: in every zone days begin and end on a quarter of an hour. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, known);
  return known;
}

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** `2026-11-15`: the local date in which the slot begins. */
export function dateOfSlot(slot: number, timeZone: string): string {
  return formatOf(timeZone).format(new Date(slot * SLOT_MS));
}

const HALF_SPAN = (16 * 60 * 60_000) / SLOT_MS;

/** The first slot of that local date. Zones differ from UTC by less than 16 hours, so it is near midnight UTC. */
export function firstSlotOf(date: string, timeZone: string): number {
  const midnight = slotOf(`${date}T00:00:00.000Z`);
  let before = midnight - HALF_SPAN;
  let after = midnight + HALF_SPAN;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dateOfSlot(middle, timeZone) >= date) after = middle;
    else before = middle;
  }
  return after;
}

/** The date after this one, in any zone. */
export function nextDate(date: string): string {
  return new Date(Date.parse(`${date}T12:00:00.000Z`) + 24 * 60 * 60_000).toISOString().slice(0, 10);
}
