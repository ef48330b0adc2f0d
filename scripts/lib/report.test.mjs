import { describe, expect, it } from 'vitest';
import { runStages } from './report.mjs';
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
