import type { RetryNote } from '@attractor/store';

/** Text for the agent that tries again: which attempt it is, what failed before, and what was done last. */
export function describeRetry(note: RetryNote): string {
  const { attempt, maxAttempts, failure, lastAction, cause } = note;
  const which =
    cause === 'limit'
      ? "The run before this one was cut off by the provider's limit."
      : `This is attempt ${attempt} of ${maxAttempts}: the run before this one did not end well (${cause}).`;
  const lines = [
    which,
    `It failed with: ${failure}`,
    ...(lastAction === null ? [] : [`The last thing it did: ${lastAction}`]),
    'What it did is still in the worktree, committed or not. Look at it first, do not repeat what is done, and go on from there.',
  ];
  return lines.join('\n');
}
