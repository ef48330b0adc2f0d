import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findNode24 } from './node24.mjs';
import { run, toolEnvironment } from './run.mjs';

/**
 * Runs vitest with its output on the terminal and counts from its own report. A run that fails without a failed test (a crash, an error
 * outside any test, no test found) counts as one failure.
 *
 * @param {string} root
 * @param {{ only?: string | string[], except?: string, flags?: string[], env?: Record<string, string> }} options
 */
export async function runVitest(root, { only, except, flags = [], env = {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'attractor-vitest-'));
  const report = join(folder, 'report.json');
  const filters = [
    ...(only === undefined ? [] : [only].flat()),
    ...(except === undefined ? [] : [`--exclude=${except}`]),
  ];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const node = findNode24(root);
    const argv = [node, join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...filters, ...reporters, ...flags];
    const { code, output } = await run(argv, { cwd: root, env: toolEnvironment(root, node, env), show: true });
    return countReport({
      root,
      code,
      output,
      report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Pure: the result of a finished vitest run. */
export function countReport({ root, code, output, report }) {
  if (report === undefined) return { passed: 0, failed: 1, failures: [lastLines(output)] };
  const failures = report.testResults.flatMap((file) => failuresOf(relative(root, file.name), file));
  const { numPassedTests: passed, numPendingTests: skipped } = report;
  const note = `${passed} passed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  const failedFiles = report.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => relative(root, name));
  const counted = { passed, note, longest: longestFiles(root, report), failedFiles };
  if (failures.length > 0) return { ...counted, failed: failures.length, failures };
  if (code !== 0 || !report.success) return { ...counted, failed: 1, failures: [lastLines(output)] };
  return { ...counted, failed: 0 };
}

/** The ten files that took longest, with their seconds. */
function longestFiles(root, report) {
  return report.testResults
    .map((file) => ({ name: relative(root, file.name), seconds: (file.endTime - file.startTime) / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
    .map(({ name, seconds }) => `${name} ${seconds.toFixed(1)} s`);
}

function failuresOf(path, file) {
  const failed = file.assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0 && file.status === 'failed') return [`${path}: ${firstLine(file.message)}`];
  return failed.map((test) => `${path} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
}

function firstLine(text = '') {
  return text.split('\n', 1)[0];
}

function lastLines(output) {
  return output.trim().split('\n').slice(-15).join('\n');
}
