import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, integer, noBias, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '@attractor/base/testing';
import { readShell, UNREADABLE } from './read-shell.ts';
import { decide, decisionOf, PLACES } from './test-support/decide.ts';
import { generateCommand } from './test-support/generated-commands.ts';
import { createSecondOpinion } from './test-support/second-opinion.ts';

const given: ReadonlyArray<string> = ['commands.json', 'further.json', 'everyday.json', 'corners.json'].flatMap(
  commands,
);
const seeds = noBias(integer({ min: 0, max: 2 ** 32 - 1 }));

describe('generated commands', () => {
  it('are read without a throw, and a second parser objects to none that is allowed', () => {
    const object = createSecondOpinion(PLACES);
    let allowed = 0;
    const check = (seed: number): void => {
      const command = generateCommand(seed, given);
      const reading = readShell(command, PLACES);
      if (reading.problem?.reason === UNREADABLE) throw new Error(`could not be read: ${JSON.stringify(command)}`);
      if (decisionOf(reading) !== 'allow') return;
      allowed += 1;
      const objection = object(command);
      if (objection !== null) throw new Error(`${JSON.stringify(command)} was allowed: ${objection}`);
    };
    assert(property(seeds, check), { numRuns: runs(2_000, 100_000) });
    expect(allowed).toBeGreaterThan(100);
  });

  it('that are allowed in the lists find no objection either', () => {
    const object = createSecondOpinion(PLACES);
    const objections = given
      .filter((command) => decide(command) === 'allow')
      .map((command) => ({ command, objection: object(command) }));
    expect(objections.filter(({ objection }) => objection !== null)).toEqual([]);
  });
});

describe('size', () => {
  const LONG = [
    'ls; ',
    'cat a | ',
    'echo "$(ls)" ',
    '((',
    '$(',
    '${x:-',
    '"`',
    '{a,b}',
    'f(){ ',
    'a&&',
    '[[ -f a ]] && ',
    "'",
    '<<E\n',
    'x=1 ',
    '*?[a]',
  ];

  it('of a megabyte is read in time, whatever it holds', () => {
    for (const piece of LONG) {
      const started = performance.now();
      const { problem } = readShell(piece.repeat(Math.ceil(2 ** 20 / piece.length)), PLACES);
      expect(problem, piece).not.toBeNull();
      expect(performance.now() - started, piece).toBeLessThan(10_000);
    }
  });

  it('does not hide what must be denied', () => {
    expect(decide(`${'ls; '.repeat(60)}rm -rf /`)).toBe('deny');
    expect(decide(`${'ls; '.repeat(20_000)}rm -rf ~; ${'ls; '.repeat(20_000)}`)).toBe('deny');
  });
});

function commands(name: string): ReadonlyArray<string> {
  const value: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8'));
  if (Array.isArray(value)) return value.map((one: { readonly cmd: string }) => one.cmd);
  return typeof value === 'object' && value !== null ? Object.values(value).flat() : [];
}
