import { done, messageOf } from '@attractor/base';
import { refuse, type Result } from '@attractor/store';

/**
 * The first time after `after` (ISO, excluded) at which the cron line is due in that time zone; a time that the clock change skips becomes
 * the next one that exists.
 */
export async function nextTime(
  line: { readonly cron: string; readonly timeZone: string },
  after: string,
): Promise<Result<string>> {
  if (!isTimeZone(line.timeZone))
    return refuse('invalid', `There is no time zone "${line.timeZone}": use a name such as Europe/Berlin or UTC.`);
  const fields = line.cron.trim().split(/\s+/);
  if (!(line.cron.trim().startsWith('@') ? fields.length === 1 : fields.length === 5 || fields.length === 6))
    return refuse(
      'invalid',
      `"${line.cron}" is not a cron line: expected minute, hour, day, month and weekday, such as "0 7 * * 1-5".`,
    );
  const { CronExpressionParser } = await import('./cron-library.ts');
  try {
    const parsed = CronExpressionParser.parse(line.cron.trim(), { currentDate: new Date(after), tz: line.timeZone });
    return done(parsed.next().toDate().toISOString());
  } catch (error) {
    const cause = messageOf(error);
    return refuse('invalid', `"${line.cron}" is a cron line that is never due (${cause}).`);
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
