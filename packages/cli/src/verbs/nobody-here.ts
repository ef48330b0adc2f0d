import type { Call } from './verb.ts';

/** Said where a command leaves an agent in the queue and no server runs that would take it up. */
export const NOBODY_HERE = 'Queued. No server is running here: it starts with `attractor serve` or `attractor worker`.';

/** Says so if a run of the task waits to be taken up. */
export async function sayIfNobodyHere({ client, where, say, output }: Call, taskId: string): Promise<void> {
  if (where !== 'here' || output.mode !== 'people') return;
  const running = await client.runs.list({ taskId, status: 'running' });
  if (running.ok && running.value.length > 0) say(NOBODY_HERE);
}
