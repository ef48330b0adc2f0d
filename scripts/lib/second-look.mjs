/** More files than this fail for a reason that they share, not by chance. */
const FEW = 3;

/**
 * Runs tests, and those files that failed among them once more, alone. A test that passes then counts as passed and is named as unsteady
 * with what it said first: it is to be mended, and does not hide what the others show.
 *
 * @param {(files?: string[]) => Promise<object>} runTests all tests, or those of the files named
 */
export async function withSecondLook(runTests) {
  const first = await runTests();
  const files = first.failedFiles ?? [];
  if (files.length === 0 || files.length > FEW) return first;
  const second = await runTests(files);
  if (second.failedFiles === undefined) return first;
  const unsteady = first.failures.filter(
    (failure) => !second.failures?.some((again) => nameOf(again) === nameOf(failure)),
  );
  return {
    ...first,
    passed: first.passed + first.failed - second.failed,
    failed: second.failed,
    failures: second.failures ?? [],
    failedFiles: second.failedFiles,
    unsteady,
  };
}

/** A failure begins with the name of its test. */
function nameOf(failure) {
  return failure.slice(0, failure.indexOf(': '));
}
