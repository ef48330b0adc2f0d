import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { acquireLock } from './lock.ts';
import { ownIdentity } from './process-identity.ts';

const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);
const BEAT_MS = 10_000;

const isFresh = (file: string): boolean => statSync(file).mtimeMs > AN_HOUR_AGO.getTime() + 1_000;

describe('the holder of a lock', () => {
  it('shows every ten seconds that it lives, to those who can see only the file, and stops when it lets go', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const file = path.join(makeFolder(), 'lock');
    const lock = acquireLock(file);
    for (const _beat of [1, 2]) {
      utimesSync(file, AN_HOUR_AGO, AN_HOUR_AGO);
      vi.advanceTimersByTime(BEAT_MS - 1);
      expect(isFresh(file)).toBe(false);
      vi.advanceTimersByTime(1);
      expect(isFresh(file)).toBe(true);
    }
    lock.release();
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, '{}');
    utimesSync(file, AN_HOUR_AGO, AN_HOUR_AGO);
    vi.advanceTimersByTime(10 * BEAT_MS);
    expect(isFresh(file)).toBe(false);
  });

  it('keeps no lock alive that another one has taken over', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const file = path.join(makeFolder(), 'lock');
    const lock = acquireLock(file);
    writeFileSync(file, JSON.stringify({ ...ownIdentity(), token: 'another' }));
    utimesSync(file, AN_HOUR_AGO, AN_HOUR_AGO);
    vi.advanceTimersByTime(BEAT_MS);
    expect(isFresh(file)).toBe(false);
    lock.release();
    expect(existsSync(file)).toBe(true);
  });
});
