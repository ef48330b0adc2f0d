import type { Call } from './verb.ts';

const NOBODY_WORKS = 'Queued. No worker is running: it starts with `attractor serve` or `attractor worker`.';

/** Says so if a run of the task waits to be taken up, and nobody is there who would; workers may be on other machines. */
export async function sayIfNobodyWorks({ client, where, say, output }: Call, taskId: string): Promise<void> {
  if (where !== 'here' || output.mode !== 'people') return;
  const stated = await client.tasks.states({ ids: taskId });
  if (stated.ok && stated.value.some(({ state }) => state.steps.some(({ id }) => id === 'work'))) say(NOBODY_WORKS);
}
