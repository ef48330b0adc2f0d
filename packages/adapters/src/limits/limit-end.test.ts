import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '@attractor/base/testing';
import { parseLimitEnd } from './limit-end.ts';
import { resumeTime } from './resume-time.ts';
import { instantOf, wallTimeIn } from './wall-time.ts';

/** A Sunday, 18:30 in Berlin. */
const NOW = new Date('2026-11-15T17:30:00.000Z');
const BERLIN = 'Europe/Berlin';

const end = (text: string): string | undefined => parseLimitEnd(text, NOW, BERLIN)?.toISOString();

describe('the time a provider names', () => {
  it.each([
    ['Claude AI usage limit reached|1794776400', '2026-11-15T21:00:00.000Z'],
    ['5-hour limit reached ∙ resets 9pm', '2026-11-15T20:00:00.000Z'],
    ["You've hit your limit · resets 9:30pm (Europe/Berlin)", '2026-11-15T20:30:00.000Z'],
    ["You've hit your session limit · resets 2am (America/New_York)", '2026-11-16T07:00:00.000Z'],
    ['5-hour limit reached ∙ resets 6pm', '2026-11-16T17:00:00.000Z'],
    ['Weekly limit reached ∙ resets Mon 10:00 AM', '2026-11-16T09:00:00.000Z'],
    ['Weekly limit reached · resets Oct 10, 9am', undefined],
    ['Weekly limit reached · resets Nov 18, 9am', '2026-11-18T08:00:00.000Z'],
    ['Opus weekly limit reached ∙ resets Nov 20 at 10am (UTC)', '2026-11-20T10:00:00.000Z'],
    [
      "You've hit your usage limit. Upgrade to Pro (https://openai.com/pricing) or try again in 3 days 4 hours 22 minutes.",
      '2026-11-18T21:52:00.000Z',
    ],
    ["You've hit your usage limit. Try again at 7:14 PM.", '2026-11-15T18:14:00.000Z'],
    ["You've hit your usage limit. Try again at Nov 17th, 2026 7:14 PM.", '2026-11-17T18:14:00.000Z'],
    [
      'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 29000. Please try again in 1.898s. Visit https://x.test',
      '2026-11-15T17:30:01.898Z',
    ],
    ['Rate limit reached for requests. Please try again in 6m0s.', '2026-11-15T17:36:00.000Z'],
    ['You exceeded your current quota. Please retry in 34.07s.', '2026-11-15T17:30:34.070Z'],
    ['{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}', '2026-11-15T17:30:34.000Z'],
    [
      'You have exhausted your capacity on this model. Your quota will reset after 3h25m10s.',
      '2026-11-15T20:55:10.000Z',
    ],
    ['Usage limit reached for all Pro models. Access resets at 12:00 PM PST.', '2026-11-15T20:00:00.000Z'],
    ['Daily quota exceeded; it resets at midnight Pacific time', '2026-11-16T08:00:00.000Z'],
    ['429 Too Many Requests, retry-after: 120', '2026-11-15T17:32:00.000Z'],
    ['retry-after: Sun, 15 Nov 2026 18:00:00 GMT', '2026-11-15T18:00:00.000Z'],
    ['{"retry-after":"7"}', '2026-11-15T17:30:07.000Z'],
    ['retry-after-ms: 1500', '2026-11-15T17:30:01.500Z'],
    ['quota resets at 2026-11-15T21:00:00Z', '2026-11-15T21:00:00.000Z'],
    ['limit resets on 2026-11-16T00:00:00+01:00', '2026-11-15T23:00:00.000Z'],
    ['usage limit, available again in 2 hours', '2026-11-15T19:30:00.000Z'],
    ['limit reached, resets tomorrow at 7:00 am', '2026-11-16T06:00:00.000Z'],
    ['quota is used up; try again later', undefined],
    ['limit reached, resets 9', undefined],
    ['limit reached, resets 25:00', undefined],
    ['retry in 400 days', undefined],
    ['the year 2026 reset 3 things', undefined],
  ])('%s', (text, expected) => {
    expect(end(text)).toBe(expected);
  });

  it('is found for any wait in any of the usual words', () => {
    const wait = fc.record({
      h: fc.nat(23),
      m: fc.nat(59),
      s: fc.integer({ min: 1, max: 59 }),
      words: fc.constantFrom('try again in', 'Please retry in', 'quota will reset after', 'resets in'),
      spaced: fc.boolean(),
    });
    fc.assert(
      fc.property(wait, ({ h, m, s, words, spaced }) => {
        const span = spaced ? `${h} hours ${m} minutes and ${s} seconds` : `${h}h${m}m${s}s`;
        const wanted = NOW.getTime() + ((h * 60 + m) * 60 + s) * 1000;
        expect(end(`limit: ${words} ${span}.`)).toBe(new Date(wanted).toISOString());
      }),
      { numRuns: runs(200, 10_000) },
    );
  });

  it('is never in the past nor far off, takes bounded time, and is nothing for text that has none', () => {
    const words = fc.constantFrom(
      'resets',
      'at',
      'in',
      '9pm',
      '12:61',
      'retry-after:',
      '1h',
      '0',
      'Nov 31',
      '(UTC)',
      '|',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), (said, now) => {
        const at = parseLimitEnd(said, now, 'America/New_York');
        if (at === null) return;
        expect(at.getTime()).toBeGreaterThanOrEqual(now.getTime());
        expect(at.getTime() - now.getTime()).toBeLessThanOrEqual(32 * 86_400_000);
      }),
      { numRuns: runs(300, 15_000) },
    );
    expect(parseLimitEnd(`resets ${'1h '.repeat(20_000)}`, NOW)).toBeNull();
  });
});

describe('a time for people', () => {
  it('has its day only where that is not today, by the clock of the place', () => {
    expect(resumeTime(new Date('2026-11-15T20:00:00Z'), NOW, BERLIN)).toBe('21:00');
    expect(resumeTime(new Date('2026-11-15T20:00:01Z'), NOW, BERLIN)).toBe('21:01');
    expect(resumeTime(new Date('2026-11-15T23:30:00Z'), NOW, BERLIN)).toBe('00:30 on 16 Nov');
    expect(resumeTime(new Date('2027-01-02T08:00:00Z'), NOW, BERLIN)).toBe('09:00 on 2 Jan 2027');
  });

  it('is the same moment there and back, but in the hour that the clocks skip', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham');
    const moments = fc.integer({ min: 0, max: 60_000_000 }).map((minutes) => new Date(minutes * 60_000));
    fc.assert(
      fc.property(moments, zones, (at, zone) => {
        const wall = wallTimeIn(at, zone);
        expect(wallTimeIn(instantOf(wall, zone), zone)).toEqual(wall);
      }),
      { numRuns: runs(100, 5_000) },
    );
  });
});
