import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runs, soakProgress, soakSeed } from '@attractor/base/testing';
import { readShell, UNREADABLE } from './read-shell.ts';
import { decide, decisionOf, PLACES } from './test-support/decide.ts';
import { generateCommand } from './test-support/generated-commands.ts';
import { createSecondOpinion } from './test-support/second-opinion.ts';

const given: ReadonlyArray<string> = ['commands.json', 'further.json', 'everyday.json', 'corners.json'].flatMap(
  commands,
);

describe('generated commands', () => {
  it('are read without a throw, and a second parser objects to none that is allowed', () => {
    const object = createSecondOpinion(PLACES);
    const [seed, count] = [soakSeed(20_260_815), runs(300, 100_000)];
    const tell = soakProgress({ what: 'generated commands', seed, count });
    const found: unknown[] = [];
    let allowed = 0;
    for (let done = 0; done < count; done += 1) {
      const own = (seed + Math.imul(done, 0x9e3779b1)) >>> 0;
      const command = generateCommand(own, given);
      const reading = readShell(command, PLACES);
      if (reading.problem?.reason === UNREADABLE) found.push({ own, command, objection: 'could not be read' });
      if (decisionOf(reading) === 'allow') {
        allowed += 1;
        const objection = object(command);
        if (objection !== null) found.push({ own, command, objection });
      }
      tell(done + 1);
    }
    expect({ seed, found }).toEqual({ seed, found: [] });
    expect(allowed).toBeGreaterThan(count / 40);
  });

  it('hold a command where bash would run one, and not where it is quoted', () => {
    const object = createSecondOpinion(PLACES);
    for (const word of ['"a\\`b"', "'`id`'", "a'$(id)'", '\\`', String.raw`"\$(id)"`])
      expect([word, object(`file ${word}`)]).toEqual([word, null]);
    for (const word of ['"`id`"', 'a`id`', '"$(id)"', String.raw`"\\$(id)"`, `"'$(id)'"`])
      expect([word, object(`file ${word}`)]).toEqual([word, expect.stringContaining('file takes')]);
  });

  it('that are allowed in the lists find no objection either', () => {
    const object = createSecondOpinion(PLACES);
    const objections = given
      .filter((_, at) => at % runs(4, 1) === 0)
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

  /** Quadratic time would be hours; a slow, busy machine needs seconds. */
  const HANGS_MS = 120_000;

  it('of a megabyte is read in time, whatever it holds', () => {
    for (const piece of LONG) {
      const started = performance.now();
      const { problem } = readShell(piece.repeat(Math.ceil(2 ** 20 / piece.length)), PLACES);
      expect(problem, piece).not.toBeNull();
      expect(performance.now() - started, piece).toBeLessThan(HANGS_MS);
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
