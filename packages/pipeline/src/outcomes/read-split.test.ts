import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '@attractor/store/testing';
import { MOST_SUBTASKS, readSplit } from './read-split.ts';
import { judgePayload, outcomeChoices } from './schemas.ts';

const part = (name: string, ...dependsOn: ReadonlyArray<string>) => ({ name, title: name, dependsOn });
const problemOf = (written: unknown) => {
  const read = readSplit(written);
  return 'problem' in read ? read.problem : null;
};

/** Any graph: who depends on whom is drawn at random, so that circles are as likely as not. */
const graphs = fc
  .integer({ min: 1, max: 8 })
  .chain((count) =>
    fc
      .array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 10 })
      .map((edges) =>
        Array.from({ length: count }, (_, at) =>
          part(`p${at}`, ...edges.flatMap(([from, to]) => (from === at ? [`p${to}`] : []))),
        ),
      ),
  );

describe('a split', () => {
  it('of any graph is in an order in which nothing comes before what it depends on, or names a circle that is there', () => {
    fc.assert(
      fc.property(graphs, (parts) => {
        const read = readSplit({ subtasks: parts });
        if ('problem' in read) {
          const circle = (/circle: (.+)\.$/.exec(read.problem)?.[1] ?? '').split(' → ');
          expect(circle.at(0)).toBe(circle.at(-1));
          for (const [at, name] of circle.slice(0, -1).entries())
            expect(parts.find((one) => one.name === name)?.dependsOn).toContain(circle[at + 1]);
          return;
        }
        const order = read.subtasks.map(({ name }) => name);
        expect(order.toSorted()).toEqual(parts.map(({ name }) => name).toSorted());
        for (const { name, dependsOn = [] } of read.subtasks)
          for (const first of dependsOn) expect(order.indexOf(first)).toBeLessThan(order.indexOf(name));
      }),
      { numRuns: runs(200) },
    );
  });

  it('of anything at all is read or refused in words, and never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (written) => {
        const read = readSplit(written);
        expect('problem' in read ? read.problem.length : read.subtasks.length).toBeGreaterThan(0);
      }),
      { numRuns: runs(200) },
    );
  });

  it.each<[string, unknown, string]>([
    ['nothing', { subtasks: [] }, 'at least one'],
    ['too many', Array.from({ length: MOST_SUBTASKS + 1 }, (_, at) => part(`p${at}`)), 'at most 20 subtasks, not 21'],
    ['an unknown dependency', [part('a', 'b')], '"a" depends on "b", which is not among the subtasks; they are a'],
    ['itself', [part('a', 'a')], 'circle: a → a'],
    ['a name twice', [part('a'), part('a')], 'Two subtasks have the name "a"'],
    ['a misspelt field', [{ ...part('a'), depends_on: ['b'] }], 'a field "depends_on"'],
    ['an empty title', [{ name: 'a', title: ' ' }], '"title" has to be'],
    ['an empty criterion', [{ ...part('a'), acceptanceCriteria: [' '] }], '"acceptanceCriteria" has to be'],
  ])('with %s is refused with what is wrong', (_what, written, says) => {
    expect(problemOf(written)).toContain(says);
  });

  it('is judged when an agent reports it, so that the agent can fix it', () => {
    const choices = outcomeChoices(['propose_split']);
    const subtask = { name: 'a', title: 'A', description: 'd' };
    const judge = (subtasks: ReadonlyArray<object>) =>
      judgePayload(choices, 'propose_split', { reason: 'r', subtasks });
    expect(judge([subtask])).toBeNull();
    expect(judge([{ ...subtask, dependsOn: ['b'] }])).toContain('depends on "b"');
    expect(judge([])).toContain('not valid');
    const own = outcomeChoices(['propose_split'], { propose_split: { description: 'd', schema: { type: 'object' } } });
    expect(judgePayload(own, 'propose_split', { proposedPhases: [] })).toBeNull();
  });
});
