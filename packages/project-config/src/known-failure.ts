import type { CheckResult } from '@attractor/store';

/**
 * Whether a check failed before the work began and the work added nothing to it: it ends in the same way, no count of failures grew, and no
 * line that tells of a failure is new. Numbers of lines, durations, hashes and folders do not count as new.
 */
export function isKnownFailure(work: CheckResult, base: CheckResult | undefined): boolean {
  if (base === undefined || base.passed || work.passed) return false;
  if (base.command !== work.command || !endedAlike(work, base)) return false;
  if (mostCounted(work.output) > mostCounted(base.output)) return false;
  const before = new Set(linesOf(base.output));
  return !linesOf(work.output).some((line) => !before.has(line) && TELLS_FAILURE.test(line));
}

/** Both with the same code, or both too slow. One that could not be run at all tells nothing. */
function endedAlike(work: CheckResult, base: CheckResult): boolean {
  return work.exitCode === null ? work.timedOut === true && base.timedOut === true : work.exitCode === base.exitCode;
}

const TELLS_FAILURE =
  /fail|error|not ok|✗|✘|×|✖|panic|exception|warning|assert|expected|missing|undefined|cannot|can't|denied/i;

const COUNTED =
  /(\d+)\s+(?:\w+\s+)?(?:fail|error|problem|warning)|(?:fail\w*|errors?|problems?|warnings?)\D{0,3}(\d+)/gi;

/** The largest number of failures that the output speaks of. */
function mostCounted(output: string): number {
  return Math.max(0, ...[...output.matchAll(COUNTED)].map(([, first, second]) => Number(first ?? second)));
}

function linesOf(output: string): ReadonlyArray<string> {
  return withoutColours(output)
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/\b[0-9a-f]{7,64}\b/g, '#')
        .replaceAll(/\/\S*\//g, '/')
        .replaceAll(/\d+(?:\.\d+)?/g, '#')
        .trim(),
    );
}

function withoutColours(text: string): string {
  return text.replaceAll(/\u001B\[[\d;]*m/g, '');
}
