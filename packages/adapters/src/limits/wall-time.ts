import { defined } from '@attractor/base';

/** A local date and time. Month 1 to 12. */
export type WallTime = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
};

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export function wallTimeIn(at: Date, timeZone: string | undefined): WallTime {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...defined({ timeZone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((candidate) => candidate.type === type)?.value ?? 0);
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') };
}

/** The instant of a local time. In the hour that a clock change skips: the moment after the gap. */
export function instantOf(wall: WallTime, timeZone: string | undefined): Date {
  const wanted = asUtc(wall);
  let guess = wanted;
  for (let round = 0; round < 3; round += 1) {
    const shown = asUtc(wallTimeIn(new Date(guess), timeZone));
    if (shown === wanted) break;
    guess += wanted - shown;
  }
  return new Date(guess);
}

function asUtc({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute);
}
