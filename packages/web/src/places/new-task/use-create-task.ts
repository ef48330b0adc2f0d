import { failure, type Failure, type Task } from '@attractor/api';
import { BUDGET_EXPECTED, budgetOf, newTaskBody, type TaskDraft } from '@attractor/api/shown';
import { useState } from 'react';
import { api, takeStep } from '../../data/api.ts';
import { useMay } from '../../data/role.tsx';
import { toast } from '../../ui/toast.tsx';

/** Makes the task, then what belongs to it; once the task is there, a problem with the rest is said and loses nothing. */
export function useCreateTask() {
  const maySpend = useMay('admin');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Failure | null>(null);
  const create = async (draft: TaskDraft, files: ReadonlyArray<File>, isStarted: boolean): Promise<Task | null> => {
    const budget = maySpend ? budgetOf(draft.budget) : null;
    if (Number.isNaN(budget)) {
      setError(failure('invalid', `The budget: ${BUDGET_EXPECTED}.`));
      return null;
    }
    setBusy(true);
    setError(null);
    const made = await api.tasks.create(newTaskBody(draft));
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
  if (step === undefined || step.call === null) return ['It was not started: its pipeline has no next step from here.'];
  const started = await takeStep(step.call);
  return started.ok ? [] : [`It was not started: ${started.error.message}`];
}
