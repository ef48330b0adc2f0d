import type { NextStep, TaskState, TaskView } from '@attractor/api';
import { useAnswer } from '../data/answers.ts';
import { api } from '../data/api.ts';

/**
 * The way on after a failure that begins again where the work began. Null: nothing failed, nothing was done that could be taken back, or
 * its base has it.
 */
export function useFreshStep({ taskId, artifacts }: TaskView, state: TaskState | undefined): NextStep | null {
  const hasWork = artifacts.some(({ type }) => type === 'branch');
  const isMerged = artifacts.some(({ type, metadata }) => type === 'pull_request' && metadata['state'] === 'merged');
  const step = state?.steps.find(({ id, call }) => call !== null && /^(?:start|move):/.test(id));
  const enabled = state?.kind === 'failed' && hasWork && !isMerged && step !== undefined;
  const diff = useAnswer(['diff', taskId, 'since', state?.since], () => api.branches.diff(taskId), { enabled });
  if (!enabled || diff.state !== 'ready' || diff.value.files.length === 0) return null;
  return { ...step, id: 'fresh', label: `${step.label}, from scratch` };
}
