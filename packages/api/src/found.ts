import { done, failed } from '@attractor/base';
import type { PlatformWorkflow, Result } from '@attractor/platform';

/** A found value, or a refusal that names what was looked for. */
export function found<Value>(value: Value | null, what: string): Result<Value> {
  return value === null ? failed({ code: 'not_found', message: `There is no ${what}.` }) : done(value);
}

/** What belongs to a task. An unknown task is refused, not answered with an empty list. */
export function ofTask<Value>(read: (workflow: PlatformWorkflow, taskId: string) => Promise<Value>) {
  return async (call: { readonly workflow: PlatformWorkflow; readonly params: { readonly id: string } }) => {
    const { workflow, params } = call;
    const task = found(await workflow.getTask(params.id), `task ${params.id}`);
    return task.ok ? done(await read(workflow, params.id)) : task;
  };
}
