import type { Answer } from './controlled.ts';

/** Stops one command or agent, by the id in the lines about tasks. */
export const stopTask: Answer = async ({ session, lookAtTasks }, { task_id: asked }) => {
  const id = String(asked);
  const task = [...session.background.list(), ...session.subagents()].find((one) => one.id === id);
  if (task !== undefined && task.status !== 'running') return { error: `the task ${id} is over (${task.status}).` };
  if (await session.background.end(id)) {
    lookAtTasks();
    return { response: {} };
  }
  const { output, isError } = await session.stopSubagent(id);
  return isError ? { error: `there is no task ${id} at work. ${output}` } : { response: {} };
};
