import { findPrompt, type Prompt, taskSubject } from '@attractor/store';
import type { RunContext } from './run-context.ts';

/** Waits until a person answered the prompt or it was withdrawn. Null if the wait was aborted. */
export function untilClosed(
  { services, task }: RunContext,
  prompt: Prompt,
  signal: AbortSignal,
): Promise<Prompt | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Prompt | null>();
  const look = async (): Promise<void> => {
    const now = await findPrompt(services.store.read, prompt.id);
    if (now === null || now.status !== 'pending') resolve(now);
  };
  const stop = services.store.onChange(() => void look().catch(reject), ['prompts'], taskSubject(task.id));
  const giveUp = (): void => resolve(null);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  look().catch(reject);
  return promise.finally(() => {
    stop();
    signal.removeEventListener('abort', giveUp);
  });
}
