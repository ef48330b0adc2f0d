import { describe, expect, it } from 'vitest';
import { statedLimit } from './stated-limit.ts';

describe('what a program says at its end', () => {
  it.each([
    `Claude AI usage limit reached|${Math.round(Date.now() / 1000) + 7200}`,
    '5-hour limit reached ∙ resets 9pm',
    "You've hit your limit · resets 9:30pm (Europe/Berlin)",
    'You’ve hit your session limit · resets 2am (America/New_York)',
    'Weekly limit reached ∙ resets Mon 10:00 AM',
    'Gemini 2.5 Pro quota exceeded, try again in 4h',
    "Working on it\nYou've hit your usage limit. Upgrade to Pro (https://example.test/) or try again in 3 days 4 hours.",
    'Rate limit reached for m-5 on tokens per min (TPM): Limit 30000, Used 29000. Please try again in 90s.',
    'Error: You exceeded your current quota. Please retry in 34.07s.',
    'Usage limit reached for all Pro models. Access resets at 12:00 PM PST.',
    'Daily quota exceeded; it resets at midnight Pacific time',
    '429 Too Many Requests, retry-after: 120',
    'usage limit reached, available again in 2 hours',
  ])('is a limit, with its end, however the program ended: %s', (text) => {
    expect(statedLimit(`Some work.\n\n${text}\n`, { failed: false })).toBe(text);
    expect(statedLimit(text, { failed: true })).toBe(text);
  });

  it.each([
    'Too many requests',
    'ERROR: The usage limit has been reached',
    'codex: rate limit exceeded, try again later',
    'Error: quota exceeded for project 12.',
    'exceeded retry limit, last status: 429 Too Many Requests',
    'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}',
    '{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}',
    '[2026-11-15T17:30:00Z] ERROR: rate limited',
  ])('is a limit of a program that failed, without its end: %s', (text) => {
    expect(statedLimit(text, { failed: true })).toBe(text);
    expect(statedLimit(text, { failed: false })).toBeNull();
  });

  it.each([
    'I added a message for the usage limit. It resets at 9pm.',
    'The page says "usage limit reached, resets in 2 hours" now; a test fails.',
    'The rate limit reached message resets at 9:00 pm.',
    'I handle the usage limit reached, it resets in 2 hours. A test fails.',
    'Next, the code for quota exceeded: retry in 5 minutes',
    'We have hit the rate limit of the sandbox in a test, retry in 5 minutes',
    'Usage limit reached message: done, resets in 2 hours',
    'Tests of the rate limit failed: expected 429, got 200. Retry in 5 minutes.',
    "AssertionError: expected 'quota exceeded' to be 'ok', retry-after: 120",
    '- rate limit exceeded, resets in 2 hours',
    '✗ too many requests, retry-after: 120 (3 ms)',
    'rate limit: 5 per minute, reset in 60 s',
    'Usage limit reached, resets 9pm\n\nTypeError: x is undefined',
    'Usage limit reached, resets 9pm\nso I went on\nwith another model\nand it failed',
    `Usage limit reached, resets 9pm. ${'And more about it. '.repeat(30)}`,
    'Usage limit reached, resets 9pm\n<<<OUTCOME:pr_ready>>>',
    '',
  ])('is no limit where it is only spoken of: %s', (text) => {
    for (const failed of [true, false]) expect(statedLimit(text, { failed })).toBeNull();
  });
});
