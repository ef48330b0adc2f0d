import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SLOT_MS, slotOf } from '@attractor/store';
import { dateOfSlot, firstSlotOf, isTimeZone, nextDate } from './local-day.ts';
import { readRange, timeOfSlot } from './spend-range.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Australia/Lord_Howe',
];

describe('a local day', () => {
  it('begins with its first slot, in every zone and over changes of the clock', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: slotOf('2020-01-01T00:00:00Z'), max: slotOf('2030-01-01T00:00:00Z') }),
        (zone, slot) => {
          const date = dateOfSlot(slot, zone);
          const first = firstSlotOf(date, zone);
          expect(dateOfSlot(first, zone)).toBe(date);
          expect(dateOfSlot(first - 1, zone) < date).toBe(true);
          expect(first <= slot && slot < firstSlotOf(nextDate(date), zone)).toBe(true);
        },
      ),
    );
  });
  it('of Berlin begins an hour before UTC in winter, two in summer', () => {
    expect(timeOfSlot(firstSlotOf('2026-01-15', 'Europe/Berlin'))).toBe('2026-01-14T23:00:00.000Z');
    expect(timeOfSlot(firstSlotOf('2026-07-15', 'Europe/Berlin'))).toBe('2026-07-14T22:00:00.000Z');
  });
  it('is known only where the zone is', () => {
    expect([isTimeZone('Europe/Berlin'), isTimeZone('Mars/Olympus')]).toEqual([true, false]);
  });
});

describe('a range', () => {
  it('of dates takes both of them whole', () => {
    expect(readRange({ from: '2026-01-01', to: '2026-01-01' })).toEqual({
      ok: true,
      value: {
        from: slotOf('2026-01-01T00:00:00Z'),
        to: slotOf('2026-01-01T00:00:00Z') + (24 * 60 * 60_000) / SLOT_MS,
        timeZone: 'UTC',
      },
    });
  });
  it('says which end of it can not be understood', () => {
    expect(readRange({ to: 'yesterday' })).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(readRange({ timeZone: 'Mars/Olympus' })).toMatchObject({ ok: false, error: { code: 'invalid' } });
  });
});
