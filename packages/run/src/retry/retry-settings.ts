import { isRecord } from '@attractor/base';
import type { RetryChoices } from '@attractor/store';

/** How often and how fast a run that failed for a temporary reason is retried. */
export type RetrySettings = {
  readonly enabled: boolean;
  /** Includes the first try. */
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly factor: number;
  /** Waits for a provider's limit in a row; they do not count as attempts. */
  readonly maxWaits: number;
};

export const RETRY_DEFAULTS: RetrySettings = {
  enabled: true,
  maxAttempts: 3,
  delayMs: 30_000,
  factor: 2,
  maxWaits: 20,
};

export function retrySettings(choices: RetryChoices): RetrySettings {
  const { timeoutMs: _perAttempt, ...chosen } = choices;
  return { ...RETRY_DEFAULTS, ...chosen };
}

const NUMBERS: Readonly<Record<Exclude<keyof RetryChoices, 'enabled'>, number>> = {
  maxAttempts: 1,
  delayMs: 0,
  factor: 1,
  timeoutMs: 1,
  maxWaits: 0,
};

/** Whether a value is valid as `retry` in a configuration. */
export function isRetryChoices(value: unknown): value is RetryChoices {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(([key, given]: [string, unknown]) => {
    if (key === 'enabled') return typeof given === 'boolean';
    const least = Object.entries(NUMBERS).find(([name]) => name === key)?.[1];
    return least !== undefined && typeof given === 'number' && Number.isFinite(given) && given >= least;
  });
}
