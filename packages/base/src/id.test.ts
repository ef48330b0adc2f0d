import { expect, it } from 'vitest';
import { newId, newUuid } from './id.ts';

it('ids are in the order in which they were made, and no two are alike', () => {
  const ids = Array.from({ length: 2_000 }, () => newId('run'));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toMatch(/^run_[0-9a-hjkmnp-tv-z]{27}$/);
});

it('UUIDs are random ones of version 4', () => {
  const uuids = Array.from({ length: 2_000 }, newUuid);
  for (const uuid of uuids)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(uuids).size).toBe(uuids.length);
});
