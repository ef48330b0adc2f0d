import { expect, it } from 'vitest';
import { tellUnexpected } from './tell-unexpected.ts';

it('a database that is away is told in one line a minute, anything else with where it came from', () => {
  const lines: string[] = [];
  let time = 0;
  const report = tellUnexpected(
    (line) => lines.push(line),
    () => time,
  );
  const away = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
  for (time of [0, 1_000, 59_000, 61_000]) report(away);
  report(new AggregateError([away]));
  expect(lines).toHaveLength(2);
  expect(new Set(lines)).toEqual(
    new Set([
      "The database can't be used now (connect ECONNREFUSED 10.0.0.7:5432). Work waits, and goes on by itself when it can be used again.",
    ]),
  );
  report(new Error('a bug'));
  expect(lines.at(-1)).toMatch(/^unexpected: Error: a bug\n +at /);
});
