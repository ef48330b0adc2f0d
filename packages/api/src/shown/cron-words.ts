const NAMED: Readonly<Partial<Record<string, string>>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** When a line of cron is due, in words. Null: it is none, or has a form that people read better as it is. */
export function cronWords(cron: string): string | null {
  const line = cron.trim();
  const fields = (NAMED[line.toLowerCase()] ?? line).split(/\s+/);
  const [minute, hour, day, month, weekday] = fields;
  if (fields.length !== 5 || minute === undefined || hour === undefined) return null;
  const days = dayWords({ day: day ?? '', month: month ?? '', weekday: weekday ?? '' });
  const time = days === null ? null : timeWords(minute, hour);
  if (days === null || time === null) return null;
  return time.isOften && days === EVERY_DAY ? time.words : `${time.words}, ${days}`;
}

const EVERY_DAY = 'every day';

type Time = { readonly words: string; readonly isOften: boolean };

function timeWords(minute: string, hour: string): Time | null {
  const [every, past] = [stepOf(minute), numberOf(minute, 59)];
  if (hour === '*' && every !== null)
    return often(every === 1 ? 'every minute' : 60 % every === 0 ? `every ${every} minutes` : null);
  if (past === null) return null;
  const hours = stepOf(hour);
  if (hours === 1) return often(past === 0 ? 'every hour' : `every hour at ${past} past`);
  if (hours !== null)
    return often(24 % hours === 0 ? `every ${hours} hours${past === 0 ? '' : ` at ${past} past`}` : null);
  const at = hour.split(',').map((one) => numberOf(one, 23));
  if (at.includes(null)) return null;
  return { words: `at ${listed(at.map((one) => `${two(one ?? 0)}:${two(past)}`))}`, isOften: false };
}

function often(words: string | null): Time | null {
  return words === null ? null : { words, isOften: true };
}

type Days = { readonly day: string; readonly month: string; readonly weekday: string };

/** A line with days of the month and of the week is due on either: that is read better as it is. */
function dayWords({ day, month, weekday }: Days): string | null {
  if (day === '*' && month === '*') return weekday === '*' ? EVERY_DAY : weekdayWords(weekday.toUpperCase());
  const date = numberOf(day, 31);
  if (weekday !== '*' || date === null || date === 0) return null;
  if (month === '*') return `on day ${date} of every month`;
  const at = MONTHS.findIndex((name, index) => isCalled(month, name, index + 1));
  return at === -1 ? null : `on ${date} ${MONTHS[at] ?? ''}`;
}

function weekdayWords(weekday: string): string | null {
  if (weekday === '1-5' || weekday === 'MON-FRI') return 'on weekdays';
  const range = /^(\w+)-(\w+)$/.exec(weekday);
  if (range !== null) {
    const [from, to] = [dayOf(range[1] ?? ''), dayOf(range[2] ?? '')];
    return from === null || to === null ? null : `from ${from} to ${to}`;
  }
  const names = weekday.split(',').map(dayOf);
  return names.includes(null) ? null : `on ${listed(names.map((name) => name ?? ''))}`;
}

function dayOf(word: string): string | null {
  return [...DAYS, 'Sunday'].find((name, index) => isCalled(word, name, index)) ?? null;
}

function isCalled(word: string, name: string, number: number): boolean {
  return numberOf(word, 12) === number || word.toUpperCase() === name.slice(0, 3).toUpperCase();
}

/** `*` is a step of one. */
function stepOf(field: string): number | null {
  if (field === '*') return 1;
  const step = /^\*\/([1-9]\d?)$/.exec(field)?.[1];
  return step === undefined ? null : Number(step);
}

function numberOf(field: string, most: number): number | null {
  return /^\d{1,2}$/.test(field) && Number(field) <= most ? Number(field) : null;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function listed(words: ReadonlyArray<string>): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
