import type { PlatformWorkflow, Task } from '@attractor/platform';
import { unwrap } from '../exit.ts';
import type { Style } from '../terminal/style.ts';
import { ACTOR, requirePipeline, type Wanted } from './begin-task.ts';

export type Detached = {
  readonly wanted: Extract<Wanted, { kind: 'new' }>;
  readonly projectId: string;
};

/** Makes the task and queues its first agent, for a server or a worker to take up: both, or neither. */
export async function startDetached(workflow: PlatformWorkflow, { wanted, projectId }: Detached): Promise<Task> {
  const { task, pipelineId, straight } = wanted;
  await requirePipeline(workflow, pipelineId);
  return unwrap(await workflow.startCoding({ ...task, projectId, pipelineId, straight }, ACTOR));
}

/** Who works on it, and where to look. */
export function detachedLines({ key, title }: Task, server: string | null, style: Style): ReadonlyArray<string> {
  const row = (name: string, command: string) => `  ${style.dim(name.padEnd(8))} ${command}`;
  return [
    `${style.bold(key)} is queued: ${title}`,
    server === null
      ? `No server runs here, so nobody works on it yet: \`attractor serve\` does, or \`attractor run --resume ${key}\` in a terminal.`
      : `The server at ${server} works on it.`,
    row('watch', `attractor tasks watch ${key}`),
    row('asked', 'attractor inbox'),
    row('stands', `attractor status --session ${key}`),
    row('here', `attractor run --resume ${key}`),
    row('browser', `attractor sign-in ${key}`),
  ];
}
