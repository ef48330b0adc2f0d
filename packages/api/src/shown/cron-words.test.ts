import { expect, it } from 'vitest';
import { cronWords } from './cron-words.ts';

it.each([
  ['* * * * *', 'every minute'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['@hourly', 'every hour'],
  ['5 * * * *', 'every hour at 5 past'],
  ['*/10 * * * 1-5', 'every 10 minutes, on weekdays'],
  ['0 */6 * * *', 'every 6 hours'],
  ['30 */6 * * sun', 'every 6 hours at 30 past, on Sunday'],
  [' @daily ', 'at 00:00, every day'],
  ['0 9 * * 1-5', 'at 09:00, on weekdays'],
  ['30 7,19 * * *', 'at 07:30 and 19:30, every day'],
  ['0 9 * * MON,WED,FRI', 'at 09:00, on Monday, Wednesday and Friday'],
  ['0 9 * * 0', 'at 09:00, on Sunday'],
  ['0 9 * * 7', 'at 09:00, on Sunday'],
  ['0 9 * * 2-4', 'at 09:00, from Tuesday to Thursday'],
  ['@weekly', 'at 00:00, on Sunday'],
  ['@monthly', 'at 00:00, on day 1 of every month'],
  ['15 8 24 12 *', 'at 08:15, on 24 December'],
  ['15 8 1 jan *', 'at 08:15, on 1 January'],
])('says when %j is due: %s', (cron, words) => {
  expect(cronWords(cron)).toBe(words);
});

it.each([
  '',
  'soon',
  '@sometimes',
  '0 9 * *',
  '0 0 9 * * *',
  '60 9 * * *',
  '0 24 * * *',
  '*/7 * * * *',
  '0 */5 * * *',
  '0 9 1 * 1',
  '0 9 0 * *',
  '0 9 L * *',
  '0 9 * * 1#2',
  '0 9 * * 8',
  '1-5 9 * * *',
  '0 9 1,15 * *',
  '0 9 1 13 *',
  'x\u202E 9 * * *',
])('leaves %j as it is', (cron) => {
  expect(cronWords(cron)).toBeNull();
});
