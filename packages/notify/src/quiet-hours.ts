/** `from` and `to` are times of day such as `22:00`, in the zone; if `to` is the smaller one the span crosses midnight. */
export type QuietHours = { readonly from: string; readonly to: string; readonly timeZone: string };

/** By local time in that zone, daylight saving included. `from` equal to `to` is never quiet. */
export function isQuiet(hours: QuietHours | null, at: Date): boolean {
  if (hours === null) return false;
  const [from, to, now] = [minutesOf(hours.from), minutesOf(hours.to), minutesIn(hours.timeZone, at)];
  if (from === null || to === null || now === null) return false;
  return from <= to ? now >= from && now < to : now >= from || now < to;
}

/** What is wrong with it, for a person to correct, or null. */
export function judgeQuietHours(hours: QuietHours): string | null {
  for (const time of [hours.from, hours.to])
    if (minutesOf(time) === null) return `"${time}" is not a time of day: write it as 22:00.`;
  if (minutesIn(hours.timeZone, new Date()) === null)
    return `"${hours.timeZone}" is not a time zone that this machine knows: write it as Europe/Berlin.`;
  return null;
}

function minutesOf(time: string): number | null {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  return parts === null ? null : Number(parts[1]) * 60 + Number(parts[2]);
}

function minutesIn(timeZone: string, at: Date): number | null {
  try {
    const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    return minutesOf(time.format(at));
  } catch {
    return null;
  }
}
