import type { CommandEnd, RunningCommand, StartOptions } from '../types/index.ts';

type Followed = Pick<StartOptions, 'onOutput'> & { readonly onEnd: (end: CommandEnd) => Promise<void> };

/** Programs say at the end why they failed. */
const MOST_KEPT = 40_000;
/** Somebody ended it, and not what it met. */
const ENDED = new Set<string | undefined>(['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP']);

/** Follows what a command says. If it ends by itself and the sandbox kept it from something, that is said as the last of its output. */
export function explainedAtEnd(
  { onOutput, input }: Pick<StartOptions, 'onOutput' | 'input'>,
  explain: NonNullable<RunningCommand['explain']>,
): Followed {
  // A shell that is given its commands bit by bit has each of them explained.
  if (input === 'open') return { onOutput, onEnd: async () => undefined };
  const said = { stdout: '', stderr: '' };
  return {
    onOutput: (chunk, stream) => {
      said[stream] = (said[stream] + Buffer.from(chunk).toString()).slice(-MOST_KEPT);
      onOutput(chunk, stream);
    },
    onEnd: async (end) => {
      const notes = ENDED.has(end.signal) ? [] : await explain({ ...said, ...end });
      if (notes.length > 0) onOutput(Buffer.from(`${notes.join('\n')}\n`), 'stderr');
    },
  };
}
