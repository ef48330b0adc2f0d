import { dateOfSlot, firstSlotOf, nextDate } from './local-day.ts';
import type { SlotRange } from './spend-range.ts';

/** The part of a local date that a range covers, `to` excluded. */
export type LocalDay = {
  readonly date: string;
  readonly from: number;
  readonly to: number;
  readonly isWhole: boolean;
};

/** The days of the range on which something may have been used: it was from the slot `first` to the slot `last`. */
export function daysOf(range: SlotRange, used: { readonly first: number; readonly last: number }): LocalDay[] {
  const { timeZone } = range;
  const days: LocalDay[] = [];
  const [begin, end] = [range.from ?? -Infinity, range.to ?? Infinity];
  const last = Math.min(used.last, end - 1);
  let date = dateOfSlot(Math.max(used.first, Math.max(begin, 0)), timeZone);
  for (let from = firstSlotOf(date, timeZone); from <= last;) {
    const next = nextDate(date);
    const to = firstSlotAfter(from, next, timeZone);
    if (to > Math.max(from, begin))
      days.push({ date, from: Math.max(from, begin), to: Math.min(to, end), isWhole: from >= begin && to <= end });
    [date, from] = [next, to];
  }
  return days;
}

const SLOTS_A_DAY = 96;
/** Of some years in some zones. */
const MOST_KNOWN = 10_000;
const known = new Map<string, number>();

/** Most days have the usual length, and to look whether one does takes two questions; each is asked once. */
function firstSlotAfter(from: number, next: string, timeZone: string): number {
  const name = `${next} ${timeZone}`;
  const usual = from + SLOTS_A_DAY;
  const isUsual = (): boolean => dateOfSlot(usual, timeZone) === next && dateOfSlot(usual - 1, timeZone) < next;
  const first = known.get(name) ?? (isUsual() ? usual : firstSlotOf(next, timeZone));
  if (known.size > MOST_KNOWN) known.clear();
  known.set(name, first);
  return first;
}
