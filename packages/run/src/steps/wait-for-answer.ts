import type { Asking } from '@attractor/adapters';
import type { Prompt, StartBlock } from '@attractor/store';
import { LeftWaiting, type RunContext } from '../run-context/run-context.ts';
import { untilClosed } from '../run-context/until-closed.ts';

const DEFAULT_LEAVE_MS = 5_000;

/**
 * How an agent waits for people in the middle of its work. The run gives back its slot at once. If no answer comes soon and the agent does
 * nothing else, the agent is ended with `leave`: its next call asks the same again and finds the answer. `heard`: the agent does something.
 */
export function createWaiting(context: RunContext, leave: () => void) {
  const { services, slot } = context;
  const waiting = new Map<string, Asking>();
  let timer: NodeJS.Timeout | undefined;
  let left: ReadonlyArray<string> | null = null;
  const areAtRest = (): boolean => waiting.values().every(({ isAtRest }) => isAtRest());
  const go = (promptIds: ReadonlyArray<string>): void => {
    left ??= promptIds;
    leave();
  };
  const arm = (): void => {
    clearTimeout(timer);
    if (waiting.size === 0 || left !== null) return;
    timer = setTimeout(
      () => (areAtRest() ? go([...waiting.keys()]) : arm()),
      services.leaveAfterMs ?? DEFAULT_LEAVE_MS,
    );
  };
  const workAgain = async (promptId: string): Promise<void> => {
    if (await slot.wake()) return;
    // Without a free slot the run goes on from the queue, like any other.
    if (areAtRest()) go([promptId]);
    else await slot.force();
  };
  return {
    heard: (): void => {
      if (waiting.size > 0) arm();
    },
    /** Null if the wait was ended by the signal. */
    answerTo: async (prompt: Prompt, asking: Asking, signal: AbortSignal): Promise<Prompt | null> => {
      if (prompt.status !== 'pending') return prompt;
      await slot.rest(waitingFor(prompt));
      waiting.set(prompt.id, asking);
      arm();
      const closed = await untilClosed(context, prompt, signal).finally(() => {
        waiting.delete(prompt.id);
        arm();
      });
      if (closed !== null && !signal.aborted) await workAgain(prompt.id);
      return signal.aborted ? null : closed;
    },
    /** Called when the agent has ended. */
    stop: (): void => {
      clearTimeout(timer);
      if (left !== null) throw new LeftWaiting(left);
    },
  };
}

export type Waiting = ReturnType<typeof createWaiting>;

export function waitingFor({ title }: Prompt): StartBlock {
  return { code: 'person', message: `Waits for a person: ${title}` };
}
