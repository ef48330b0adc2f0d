import { instantOf, isTimeZone, type WallTime, wallTimeIn } from './wall-time.ts';

/**
 * When a provider lets the account work again, as far as a text of it says.
 *
 *   text      = … marker time … ;
 *   marker    = "resets" | "reset" | "available" | "again" | "retry" | "retry-after" … ("at" | "in" | "after" | "on" | ":") ;
 *   time      = moment | epoch | span | [ weekday | date ] clock [ zone ] | date | "midnight" ;
 *   moment    = ISO time | HTTP date ;  epoch = 10 or 13 digits ;  span = { number unit } | number (seconds, after "retry-after") ;
 *   clock     = hour [ ":" minute ] [ "am" | "pm" ] ;  zone = "(" IANA name ")" | "UTC" | "GMT" | "PT" | "PST" | "PDT" | "ET" …
 *
 * A clock without a day is its next occurrence. Times more than 32 days ahead are rejected.
 */
export function parseLimitEnd(text: string, now: Date, timeZone?: string): Date | null {
  const shown = text.slice(0, MAX_TEXT);
  for (const [pattern, read] of FORMS) {
    const match = pattern.exec(shown);
    const at = match === null ? null : read(match.groups ?? {}, { now, timeZone });
    const end = at === null ? null : believableEnd(at, now);
    if (end !== null) return end;
  }
  return null;
}

const MAX_TEXT = 20_000;
const FARTHEST_MS = 32 * 24 * 3_600_000;

export function believableEnd(at: number, now: Date): Date | null {
  return Number.isFinite(at) && at >= now.getTime() && at <= now.getTime() + FARTHEST_MS ? new Date(at) : null;
}

type Found = Readonly<Record<string, string | undefined>>;
type Around = { readonly now: Date; readonly timeZone: string | undefined };
type Form = readonly [RegExp, (found: Found, around: Around) => number | null];

const MARK = String.raw`(?:resets?|reset[_ -]?(?:at|time)|available|again|retry|retry[- ]after|expires|wait|until|resumes?)`;
const LINK = String.raw`[\s"']*(?:will\s+)?(?:be\s+)?(?:\bat\b|\bin\b|\bafter\b|\bon\b|\buntil\b|[:=|∙·])?[\s"']*`;
const UNIT = String.raw`(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?)`;
const SPAN = String.raw`(?<span>\d+(?:\.\d+)?\s*${UNIT}\b(?:[\s,]*(?:and\s+)?\d+(?:\.\d+)?\s*${UNIT}\b)*|(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+\b)`;
const ISO = String.raw`(?<iso>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2}))`;
const HTTP = String.raw`(?<http>(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT)`;
const CLOCK = String.raw`(?:(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?::\d{2})?\s*(?<half>[ap]\.?m\.?)?|(?<midnight>midnight))`;
const ZONE = String.raw`(?:\s*\(?(?<zone>[A-Z][A-Za-z_]+\/[A-Za-z_/+-]+\d*|UTC|GMT|PST|PDT|PT|Pacific(?: time)?|MST|MDT|CST|CDT|EST|EDT|ET|CET|CEST)\)?)?`;
const MONTH = String.raw`(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?<year>\d{4}))?`;
const WEEKDAY = String.raw`(?<weekday>Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*`;

const form = (source: string): RegExp => new RegExp(source, 'i');

/** The most exact forms come first; the first match with a plausible time counts. */
const FORMS: ReadonlyArray<Form> = [
  [/"retryDelay"\s*:\s*"(?<span>[\d.]+s)"/, readSpan],
  [/retry-after-ms["']?\s*[:=]\s*["']?(?<ms>\d+(?:\.\d+)?)/i, ({ ms }, { now }) => now.getTime() + Number(ms)],
  [form(String.raw`retry-after["']?\s*[:=]\s*["']?${HTTP}`), ({ http }) => Date.parse(http ?? '')],
  [
    /retry-after["']?\s*[:=]\s*["']?(?<s>\d+(?:\.\d+)?)(?![\d\w:])/i,
    ({ s }, { now }) => now.getTime() + Number(s) * 1000,
  ],
  [/\blimit reached\|(?<epoch>\d{10}(?:\d{3})?)\b/i, readEpoch],
  [form(`${MARK}${LINK}${ISO}`), ({ iso }) => Date.parse(iso ?? '')],
  [form(`${MARK}${LINK}${HTTP}`), ({ http }) => Date.parse(http ?? '')],
  [form(String.raw`${MARK}${LINK}(?<epoch>\d{10}(?:\d{3})?)\b`), readEpoch],
  [form(`${MARK}${LINK}${SPAN}`), readSpan],
  [form(String.raw`${MARK}${LINK}${MONTH}(?:,?\s+(?:at\s+)?${CLOCK}${ZONE})?`), readClock],
  [form(String.raw`${MARK}${LINK}${WEEKDAY},?\s+(?:at\s+)?${CLOCK}${ZONE}`), readClock],
  [form(String.raw`${MARK}${LINK}(?<tomorrow>tomorrow)?\s*(?:at\s+)?${CLOCK}${ZONE}(?!\d)`), readClock],
];

function readEpoch({ epoch = '' }: Found): number {
  return Number(epoch) * (epoch.length === 10 ? 1000 : 1);
}

const UNIT_MS: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(?:ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
  [/^w/i, 7 * 86_400_000],
];

function readSpan({ span = '' }: Found, { now }: Around): number | null {
  let total = 0;
  for (const [, amount = '', unit = ''] of span.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi))
    total += Number(amount) * (UNIT_MS.find(([name]) => name.test(unit))?.[1] ?? Number.NaN);
  return now.getTime() + total;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const ZONES: Readonly<Record<string, string>> = {
  utc: 'UTC',
  gmt: 'UTC',
  ...Object.fromEntries(['pst', 'pdt', 'pt', 'pacific', 'pacific time'].map((name) => [name, 'America/Los_Angeles'])),
  ...Object.fromEntries(['mst', 'mdt'].map((name) => [name, 'America/Denver'])),
  ...Object.fromEntries(['cst', 'cdt'].map((name) => [name, 'America/Chicago'])),
  ...Object.fromEntries(['est', 'edt', 'et'].map((name) => [name, 'America/New_York'])),
  ...Object.fromEntries(['cet', 'cest'].map((name) => [name, 'Europe/Berlin'])),
};

function readClock(found: Found, { now, timeZone }: Around): number | null {
  const time = clockOf(found);
  if (time === null) return null;
  const zone = zoneOf(found['zone']) ?? timeZone;
  const today = wallTimeIn(now, zone);
  const at = (day: WallTime): number => instantOf({ ...day, ...time }, zone).getTime();
  if (found['month'] !== undefined) return dated(found, today, at);
  const first = found['tomorrow'] === undefined ? 0 : 1;
  for (let ahead = first; ahead <= 8; ahead += 1) {
    const day = later(today, ahead);
    if (found['weekday'] !== undefined && weekdayOf(day) !== found['weekday'].toLowerCase()) continue;
    if (at(day) > now.getTime()) return at(day);
  }
  return null;
}

/** A date without a year is its next occurrence. */
function dated(found: Found, today: WallTime, at: (day: WallTime) => number): number {
  const month = MONTHS.indexOf((found['month'] ?? '').toLowerCase()) + 1;
  const day = { ...today, month, day: Number(found['day']) };
  if (found['year'] !== undefined) return at({ ...day, year: Number(found['year']) });
  const thisYear = at(day);
  const isOver = month < today.month || (month === today.month && day.day < today.day);
  return isOver ? at({ ...day, year: today.year + 1 }) : thisYear;
}

function clockOf(found: Found): Pick<WallTime, 'hour' | 'minute'> | null {
  if (found['hour'] === undefined) return { hour: 0, minute: 0 };
  const hour = Number(found['hour']);
  const minute = Number(found['minute'] ?? 0);
  const half = found['half']?.[0]?.toLowerCase();
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour === 0)) return null;
  // "resets 9" is ambiguous.
  if (half === undefined && found['minute'] === undefined) return null;
  return { hour: half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0), minute };
}

function zoneOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  return ZONES[name.toLowerCase()] ?? (isTimeZone(name) ? name : undefined);
}

function later({ year, month, day }: WallTime, days: number): WallTime {
  const moved = new Date(Date.UTC(year, month - 1, day + days));
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate(), hour: 0, minute: 0 };
}

function weekdayOf({ year, month, day }: WallTime): string | undefined {
  return WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
}
