import { failure, type Failure, type NewTaskBody, type Task } from '@attractor/api';
import { useState } from 'react';
import { api, takeStep } from '../../data/api.ts';
import { toast } from '../../ui/toast.tsx';
import type { TaskDraft } from './task-draft.ts';

/** Makes the task, then what belongs to it; once the task is there, a problem with the rest is said and loses nothing. */
export function useCreateTask() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Failure | null>(null);
  const create = async (draft: TaskDraft, files: ReadonlyArray<File>, isStarted: boolean): Promise<Task | null> => {
    const budget = draft.budget.trim() === '' ? null : Number(draft.budget.replace(',', '.'));
    if (budget !== null && !(budget > 0)) {
      setError(failure('invalid', 'The budget is an amount in USD, such as 2.50.'));
      return null;
    }
    setBusy(true);
    setError(null);
    const made = await api.tasks.create(bodyOf(draft));
    const problems = made.ok ? await finish(made.value, { files, budget, isStarted }) : [];
    setBusy(false);
    if (!made.ok) {
      setError(made.error);
      return null;
    }
    for (const problem of problems) toast(problem, { isBad: true });
    return made.value;
  };
  return { busy, error, create };
}

function bodyOf({ projectId, title, description, criteria, pipelineId, agentType, priority }: TaskDraft): NewTaskBody {
  const acceptanceCriteria = criteria
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    projectId,
    title: title.trim(),
    description,
    priority: priority as NonNullable<NewTaskBody['priority']>,
    ...(acceptanceCriteria.length === 0 ? {} : { acceptanceCriteria }),
    ...(pipelineId === '' ? {} : { pipelineId }),
    ...(agentType === '' ? {} : { overrides: { agentType } }),
  };
}

type Rest = { readonly files: ReadonlyArray<File>; readonly budget: number | null; readonly isStarted: boolean };

async function finish(task: Task, { files, budget, isStarted }: Rest): Promise<ReadonlyArray<string>> {
  const problems: string[] = [];
  for (const file of files) {
    const content = new Uint8Array(await file.arrayBuffer());
    const mediaType = file.type === '' ? {} : { mediaType: file.type };
    const added = await api.attachments.add(task.id, { name: file.name, content, ...mediaType });
    if (!added.ok) problems.push(`${file.name} was not attached: ${added.error.message}`);
  }
  if (budget !== null) {
    const set = await api.budgets.set({ scope: 'task', subjectId: task.id, limitUsd: budget, whenReached: 'ask' });
    if (!set.ok) problems.push(`The budget was not set: ${set.error.message}`);
  }
  if (isStarted) problems.push(...(await start(task)));
  return problems;
}

/** Whatever its pipeline has as the way on. */
async function start(task: Task): Promise<ReadonlyArray<string>> {
  const states = await api.tasks.states({ ids: task.id });
  const step = states.ok ? states.value[0]?.state.steps.find(({ call }) => call !== null) : undefined;
  if (step === undefined || step.call === null) return ['It was not started: its pipeline has no way on from here.'];
  const started = await takeStep(step.call);
  return started.ok ? [] : [`It was not started: ${started.error.message}`];
}
