import { wallTimeIn } from './wall-time.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21:00`, or `21:00 on 16 Nov` if that is not today, in the zone (absent: this machine's). Rounded up to the minute. */
export function resumeTime(until: Date, now: Date, timeZone?: string): string {
  const minute = 60_000;
  const at = wallTimeIn(new Date(Math.ceil(until.getTime() / minute) * minute), timeZone);
  const today = wallTimeIn(now, timeZone);
  const clock = `${pad(at.hour)}:${pad(at.minute)}`;
  if (at.year === today.year && at.month === today.month && at.day === today.day) return clock;
  const year = at.year === today.year ? '' : ` ${at.year}`;
  return `${clock} on ${at.day} ${MONTHS[at.month - 1] ?? ''}${year}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
