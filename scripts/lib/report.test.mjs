import { describe, expect, it } from 'vitest';
import { runStages } from './report.mjs';
import { withSecondLook } from './second-look.mjs';
import { countReport } from './vitest.mjs';

async function report(stages) {
  const lines = [];
  const green = await runStages(stages, { print: (line) => lines.push(...line.split('\n')) });
  return { green, lines };
}

const good = { name: 'good', run: async () => ({ passed: 3, failed: 0 }) };
const bad = { name: 'bad', run: async () => ({ passed: 1, failed: 2, failures: ['one broke', 'two broke'] }) };
const thrown = {
  name: 'thrown',
  run: async () => {
    throw new Error('it fell over');
  },
};

describe('the report of npm test', () => {
  it('ends with the counts and is green when nothing failed', async () => {
    const { green, lines } = await report([good, good]);
    expect(green).toBe(true);
    expect(lines.at(-1)).toBe('6 passed, 0 failed');
    expect(lines).toContainEqual(expect.stringMatching(/^\[2\/2\] good: ok in \d+\.\d s$/));
  });

  it('goes on after a failure and repeats every failure before the counts', async () => {
    const { green, lines } = await report([thrown, bad, good]);
    expect(green).toBe(false);
    expect(lines.slice(-4)).toEqual([
      'FAILED thrown: it fell over',
      'FAILED bad: one broke',
      'FAILED bad: two broke',
      '4 passed, 3 failed',
    ]);
  });

  it('stops only where nothing else can run', async () => {
    const { lines } = await report([{ ...thrown, vital: true }, good]);
    expect(lines.slice(-2)).toEqual(['1 stages did not run, for lack of thrown', '0 passed, 1 failed']);
  });

  it('starts a stage beside the one before it, and the next only after both', async () => {
    const order = [];
    const meeting = Promise.withResolvers();
    const first = {
      name: 'first',
      run: async () => (await meeting.promise, order.push('first'), { passed: 1, failed: 0 }),
    };
    const beside = { name: 'beside', beside: true, run: async () => (meeting.resolve(), { passed: 1, failed: 0 }) };
    const last = { name: 'last', run: async () => (order.push('last'), { passed: 1, failed: 0 }) };
    const { lines } = await report([first, beside, last]);
    expect(order).toEqual(['first', 'last']);
    expect(lines.at(-1)).toBe('3 passed, 0 failed');
    expect(lines).toContainEqual(expect.stringMatching(/^\[2\/3\] beside: ok/));
  });

  it('names the files that took longest before the counts', async () => {
    const slow = {
      name: 'slow',
      run: async () => ({ passed: 1, failed: 0, longest: ['a.test.ts 9.0 s', 'b.test.ts 2.5 s'] }),
    };
    const { lines } = await report([slow]);
    expect(lines.slice(-2)).toEqual(['longest files: a.test.ts 9.0 s, b.test.ts 2.5 s', '1 passed, 0 failed']);
  });
});

describe('a second look at what failed', () => {
  const failing = (...names) => ({
    passed: 5,
    failed: names.length,
    failures: names.map((name) => `${name}.test.ts > works: first words of ${name}`),
    failedFiles: names.map((name) => `${name}.test.ts`),
  });
  const looked = async (...answers) => {
    const asked = [];
    const result = await withSecondLook(async (files) => (asked.push(files), answers[asked.length - 1]));
    return { asked, result };
  };

  it('is not taken where nothing failed, where much did, or where no test did', async () => {
    for (const answer of [failing(), failing('a', 'b', 'c', 'd'), { passed: 0, failed: 1, failures: ['crashed'] }]) {
      expect(await looked(answer)).toEqual({ asked: [undefined], result: answer });
    }
  });

  it('runs the failed files alone; what passes then is unsteady, what does not has failed', async () => {
    const second = { ...failing('b'), failures: ['b.test.ts > works: other words'], passed: 9 };
    const { asked, result } = await looked(failing('a', 'b'), second);
    expect(asked).toEqual([undefined, ['a.test.ts', 'b.test.ts']]);
    expect(result).toMatchObject({
      passed: 6,
      failed: 1,
      failures: ['b.test.ts > works: other words'],
      unsteady: ['a.test.ts > works: first words of a'],
    });
  });

  it('leaves the first result where the second run was none', async () => {
    const { result } = await looked(failing('a'), { passed: 0, failed: 1, failures: ['crashed'] });
    expect(result).toEqual(failing('a'));
  });

  it('is told before the counts, with what the test said first', async () => {
    const shaky = {
      name: 'tests',
      run: () => withSecondLook(async (files) => (files ? { ...failing(), passed: 1 } : failing('a'))),
    };
    const { green, lines } = await report([shaky]);
    expect(green).toBe(true);
    expect(lines.slice(-2)).toEqual([
      'UNSTEADY tests, passed alone: a.test.ts > works: first words of a',
      '6 passed, 0 failed',
    ]);
  });
});

describe('the counts of a vitest run', () => {
  const file = (status, assertionResults) => ({
    name: '/r/a.test.ts',
    status,
    assertionResults,
    message: 'will not load\nat',
  });
  const counted = (report, code = 0) => countReport({ root: '/r', code, output: 'Unhandled error', report });

  it('counts tests', () => {
    const result = counted({ success: true, numPassedTests: 2, numPendingTests: 0, testResults: [file('passed', [])] });
    expect(result).toMatchObject({ passed: 2, failed: 0 });
  });

  it('knows the ten files that took longest', () => {
    const testResults = Array.from({ length: 12 }, (_, index) => ({
      name: `/r/${index}.test.ts`,
      status: 'passed',
      assertionResults: [],
      startTime: 1_000,
      endTime: 1_000 + index * 500,
    }));
    const { longest } = counted({ success: true, numPassedTests: 12, numPendingTests: 0, testResults });
    expect(longest).toHaveLength(10);
    expect(longest.slice(0, 2)).toEqual(['11.test.ts 5.5 s', '10.test.ts 5.0 s']);
  });

  it('names each failed test, and a file that could not be loaded', () => {
    const test = { status: 'failed', fullName: 'a does b', failureMessages: ['no\nat'] };
    const testResults = [file('failed', [test]), file('failed', [])];
    const result = counted({ success: false, numPassedTests: 0, numPendingTests: 0, testResults }, 1);
    expect(result.failures).toEqual(['a.test.ts > a does b: no', 'a.test.ts: will not load']);
    expect(result.failed).toBe(2);
  });

  it('is a failure when vitest fails without a failed test, or without a report', () => {
    const quiet = { success: true, numPassedTests: 2, numPendingTests: 0, testResults: [] };
    expect(counted(quiet, 1)).toMatchObject({ failed: 1, failures: ['Unhandled error'] });
    expect(counted(undefined, 1)).toMatchObject({ passed: 0, failed: 1 });
  });
});
