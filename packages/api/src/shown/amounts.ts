/** Milliseconds in the two largest units that matter. */
export function showDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} m` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** An unknown price is called unknown, never shown as zero. */
export function showCost(usd: number | null): string {
  if (usd === null) return 'cost unknown';
  if (usd === 0) return '$0.00';
  // Thousands are told apart.
  return `$${usd.toFixed(usd < 0.01 ? 4 : 2).replace(/\d(?=(\d{3})+\.)/g, '$&,')}`;
}

/** `1 run`, `2 runs`. */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

export function showTokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000
    ? `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`
    : `${(count / 1_000_000).toFixed(1)}M`;
}

export function showBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)} KB`;
  return bytes < 1024 ** 3 ? `${(bytes / 1024 ** 2).toFixed(1)} MB` : `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}

export function showClock(at: string): string {
  return formatOf('clock').format(new Date(at));
}

/** A day of the calendar, such as 2026-11-08, without its year. */
export function showDate(day: string): string {
  return formatOf('date').format(new Date(day));
}

/** The same with its year, where people are. */
export function showWholeDate(at: string): string {
  return formatOf('whole').format(new Date(at));
}

export function showDay(at: string): string {
  return formatOf('day').format(new Date(at));
}

const FORMATS = {
  clock: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  date: { month: 'short', day: 'numeric', timeZone: 'UTC' },
  whole: { dateStyle: 'medium' },
  day: { dateStyle: 'medium', timeStyle: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

const made: Partial<Record<keyof typeof FORMATS, Intl.DateTimeFormat>> = {};

/** To make one takes a hundred times as long as to use it. */
function formatOf(name: keyof typeof FORMATS): Intl.DateTimeFormat {
  made[name] ??= new Intl.DateTimeFormat(undefined, FORMATS[name]);
  return made[name];
}

export function showAgo(ms: number): string {
  if (ms < 60_000) return 'just now';
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ago`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ago`;
  return `${Math.floor(ms / 86_400_000)} d ago`;
}

/** From here on a date says more. */
export const LONG_AGO_MS = 30 * 86_400_000;
