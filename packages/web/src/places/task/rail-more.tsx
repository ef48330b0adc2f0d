import type { BudgetState, RunView, Task } from '@attractor/api';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { showCost, showTokens } from '@attractor/api/shown';
import { Dependencies } from './dependencies.tsx';
import { Subtasks } from './subtasks.tsx';
import { late } from '../../data/late.ts';

/** What is loaded after the page: the tasks that belong to this one. */
export function RailMore({ task }: { readonly task: Task }) {
  return (
    <>
      <Subtasks taskId={task.id} />
      <Dependencies task={task} />
    </>
  );
}

const ContextRing = late(() => import('../../run/context-ring.tsx').then((part) => part.ContextRing));

/** Below what was spent: while an agent works, how full its context is; and what may be spent at most. */
export function RailLimits({ task, view }: { readonly task: Task; readonly view: RunView | undefined }) {
  useAfterLog(['costs', 'budgets', task.id]);
  const budgets = useAnswer(['costs', 'budgets', task.id], () =>
    api.budgets.list({ scope: 'task', subjectId: task.id }),
  );
  return (
    <>
      {view?.run?.status === 'running' ? <ContextRing view={view} /> : null}
      {budgets.state === 'ready' ? budgets.value.map((budget) => <Limit key={budget.id} budget={budget} />) : null}
    </>
  );
}

function Limit({
  budget: { limitUsd, limitTokens, spentUsd, spentTokens, isReached },
}: {
  readonly budget: BudgetState;
}) {
  const parts = [
    ...(limitUsd === null ? [] : [`${showCost(spentUsd)} of ${showCost(limitUsd)}`]),
    ...(limitTokens === null ? [] : [`${showTokens(spentTokens)} of ${showTokens(limitTokens)} tokens`]),
  ];
  return (
    <p className="flex min-h-6 items-center justify-between gap-3 text-sm">
      <span className="text-soft">Budget</span>
      <span className={`text-right tabular-nums ${isReached ? 'text-bad' : ''}`}>
        {parts.join(', ')}
        {isReached ? ' (reached)' : ''}
      </span>
    </p>
  );
}
