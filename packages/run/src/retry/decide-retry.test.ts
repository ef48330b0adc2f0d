import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepFailure } from '../run-context/run-context.ts';
import { runs } from '@attractor/store/testing';
import { decideRetry } from './decide-retry.ts';
import { causeOf } from './failure-cause.ts';
import { limitEnd } from './provider-limit.ts';
import { isRetryChoices, RETRY_DEFAULTS, retrySettings } from './retry-settings.ts';

const NOW = new Date('2026-11-15T17:30:00.000Z');
const failed = (agentCode: string, message = 'it broke'): StepFailure => ({ code: 'agent_failed', agentCode, message });
const decide = (failure: StepFailure, given: Partial<Parameters<typeof decideRetry>[0]> = {}) =>
  decideRetry({ failure, attempt: 1, waits: 0, config: RETRY_DEFAULTS, now: NOW, timeZone: 'UTC', ...given });

describe('what passes by itself', () => {
  it.each([
    [{ code: 'timeout', message: 'x' }, 'timeout'],
    [failed('rate_limit'), 'rate_limit'],
    [failed('overloaded'), 'overloaded'],
    [failed('network'), 'network'],
    [failed('stream'), 'network'],
    [failed('server'), 'network'],
    [failed('unfinished'), 'crash'],
    [failed('exit', 'API Error: 529 {"type":"overloaded_error"}'), 'overloaded'],
    [failed('', 'HTTP 429 Too Many Requests'), 'rate_limit'],
    [failed('exit', 'ended with exit code 1: test of the rate limit failed'), null],
    [failed('exit', 'read ECONNRESET'), 'network'],
    [{ ...failed('scripted'), retryable: true }, 'crash'],
    [failed('scripted'), null],
    [failed('authentication', 'rate limit of logins'), null],
    [failed('quota_exceeded'), null],
    [failed('turn_limit'), null],
    [{ code: 'checks_failed', message: 'ECONNRESET' }, null],
    [{ code: 'environment', message: 'x' }, null],
    [{ code: 'poison', message: 'x' }, null],
    [{ code: 'cancelled', message: 'x' }, null],
    [{ code: 'no_outcome', message: 'x' }, null],
  ] satisfies ReadonlyArray<readonly [StepFailure, string | null]>)('%j: %s', (failure, cause) => {
    expect(causeOf(failure)).toBe(cause);
  });
});

describe('the decision to try again', () => {
  it('waits 30 seconds, then twice as long, and ends after three attempts', () => {
    const failure = failed('network');
    expect(decide(failure)).toEqual({
      do: 'retry',
      cause: 'network',
      attempt: 2,
      notBefore: '2026-11-15T17:30:30.000Z',
    });
    expect(decide(failure, { attempt: 2 })).toMatchObject({ attempt: 3, notBefore: '2026-11-15T17:31:00.000Z' });
    expect(decide(failure, { attempt: 3 })).toEqual({ do: 'give_up', why: 'exhausted' });
    expect(decide(failed('authentication'))).toEqual({ do: 'give_up', why: 'not_transient' });
    expect(decide(failure, { config: { ...RETRY_DEFAULTS, enabled: false } })).toEqual({
      do: 'give_up',
      why: 'disabled',
    });
  });

  it('waits for a limit until the time that was named, and that is no attempt', () => {
    const limited = failed('rate_limit', 'usage limit reached, resets 9pm');
    expect(decide(limited, { attempt: 3 })).toEqual({ do: 'wait', attempt: 3, until: '2026-11-15T21:00:00.000Z' });
    expect(decide(limited, { waits: 20 })).toEqual({ do: 'give_up', why: 'exhausted' });
    expect(decide({ ...failed('quota_exceeded'), retryAfterMs: 7_200_000 })).toMatchObject({ do: 'wait' });
  });

  it('waits only where the agent met a limit, not where a failing program spoke of one, and what the provider said in numbers comes first', () => {
    const failure = { code: 'agent_failed', message: 'It resets at 9pm.' } as const;
    expect(limitEnd(failure, NOW, 'Europe/Berlin')).toBeNull();
    expect(limitEnd({ ...failure, agentCode: 'rate_limit' }, NOW, 'Europe/Berlin')?.toISOString()).toBe(
      '2026-11-15T20:00:00.000Z',
    );
    expect(limitEnd({ ...failure, agentCode: 'rate_limit', retryAfterMs: 90_000 }, NOW)?.toISOString()).toBe(
      '2026-11-15T17:31:30.000Z',
    );
    expect(limitEnd({ ...failure, message: 'usage limit reached, resets 9pm' }, NOW)).not.toBeNull();
    const spoken = {
      ...failure,
      agentCode: 'exit',
      message: 'ended with exit code 1: usage limit reached, resets 9pm',
    };
    expect(limitEnd(spoken, NOW)).toBeNull();
    expect(limitEnd({ code: 'checks_failed', message: 'rate limit: retry in 3 hours' }, NOW)).toBeNull();
  });

  it('takes a short wait for a retry like any other, never before the provider wants it', () => {
    expect(decide({ ...failed('rate_limit'), retryAfterMs: 45_000 })).toMatchObject({
      do: 'retry',
      notBefore: '2026-11-15T17:30:45.000Z',
    });
    expect(decide({ ...failed('rate_limit'), retryAfterMs: 1_000 })).toMatchObject({
      notBefore: '2026-11-15T17:30:30.000Z',
    });
  });

  it('always comes to an end, whatever is configured', () => {
    const config = fc.record({
      enabled: fc.boolean(),
      maxAttempts: fc.integer({ min: 1, max: 6 }),
      delayMs: fc.nat(1e9),
      factor: fc.double({ min: 1, max: 1e6, noNaN: true }),
      maxWaits: fc.nat(5),
    });
    const failures = fc.array(
      fc.constantFrom(failed('network'), failed('x', 'quota: retry in 2 hours'), {
        code: 'timeout',
        message: '',
      } as const),
      { minLength: 30, maxLength: 30 },
    );
    fc.assert(
      fc.property(config, failures, (chosen, chain) => {
        let [attempt, waits, tries] = [1, 0, 0];
        for (const failure of chain) {
          const decision = decide(failure, { attempt, waits, config: chosen });
          if (decision.do === 'give_up') break;
          expect(Date.parse(decision.do === 'wait' ? decision.until : decision.notBefore)).toBeGreaterThanOrEqual(+NOW);
          if (decision.do === 'wait') waits += 1;
          attempt = decision.attempt;
          tries += 1;
        }
        expect(tries).toBeLessThanOrEqual(chosen.maxAttempts - 1 + chosen.maxWaits);
      }),
      { numRuns: runs(100) },
    );
  });

  it('is configured by the project, and only by what makes sense', () => {
    expect(retrySettings({ maxAttempts: 5, timeoutMs: 9 })).toEqual({ ...RETRY_DEFAULTS, maxAttempts: 5 });
    expect([{ maxAttempts: 0 }, { delayMs: '3' }, { often: 1 }, [], null].map(isRetryChoices)).not.toContain(true);
    expect(isRetryChoices({ enabled: false, factor: 1.5, timeoutMs: 60_000 })).toBe(true);
  });
});
