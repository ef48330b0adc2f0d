import { type BudgetState, keyOf, type Task } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useHidden } from '../../data/hidden.ts';
import { useProject } from '../../data/project.ts';
import { For } from '../../data/role.tsx';
import { useTaskList } from '../../data/task-list.ts';
import { holdBack, sendHeld } from '../../undo/hold-back.ts';
import { BUDGET_EXPECTED, budgetOf, showControls, showCost } from '@attractor/api/shown';
import { Button } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** Limits on what may be spent, and how far each is used. */
export function Budgets() {
  const budgets = useAnswer(['costs', 'budgets'], () => api.budgets.list());
  const hidden = useHidden();
  const shown = budgets.state === 'ready' ? budgets.value.filter(({ id }) => !hidden.has(id)) : [];
  return (
    <div className="mt-4">
      <Panel title="Budgets" flush>
        {budgets.state === 'ready' ? (
          <ul className="rows grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 text-sm sm:grid-cols-[fit-content(30%)_minmax(4rem,1fr)_auto_auto_auto]">
            {shown.map((budget) => (
              <BudgetLine key={budget.id} budget={budget} />
            ))}
            {shown.length === 0 ? (
              <li className="col-span-full flex items-center text-soft">No limit is set.</li>
            ) : null}
          </ul>
        ) : null}
        <div className="px-4 py-3">
          <For least="admin" what="set budgets">
            <BudgetForm />
          </For>
        </div>
      </Panel>
    </div>
  );
}

function BudgetLine({ budget }: { readonly budget: BudgetState }) {
  const cache = useQueryClient();
  const { projects } = useProject();
  const list = useTaskList();
  const row = list.state === 'ready' ? list.value.rows[budget.subjectId as Task['id']] : undefined;
  const project = projects.find(({ id }) => id === budget.subjectId)?.name;
  const subject = row === undefined ? (project ?? budget.subjectId ?? '') : `${keyOf(row.task)} ${row.task.title}`;
  const remove = () =>
    holdBack({
      text: 'Budget removed',
      ids: [budget.id],
      send: (by) => by.budgets.delete(budget.id),
      again: () => cache.invalidateQueries({ queryKey: ['costs', 'budgets'] }),
    });
  return (
    <li className="col-span-full grid grid-cols-subgrid items-center gap-y-1">
      <span className="truncate font-medium max-sm:col-span-2" title={showControls(subject)}>
        {budget.scope === 'all' ? 'Everything' : showControls(subject)}
      </span>
      <span className="max-sm:col-span-2">
        <Used budget={budget} />
      </span>
      <span className="text-soft max-sm:hidden">{PERIODS[budget.period]}</span>
      <span className={`tabular-nums sm:text-right ${budget.isReached ? 'text-bad' : ''}`}>
        {showCost(budget.spentUsd)} of {budget.limitUsd === null ? 'no limit' : showCost(budget.limitUsd)}
        {budget.isReached ? ' (reached)' : ''}
        <span className="text-soft sm:hidden"> {PERIODS[budget.period]}</span>
      </span>
      <For least="admin">
        <Button kind="quiet" className="-mr-3 justify-self-end" onClick={remove}>
          Remove
        </Button>
      </For>
    </li>
  );
}

const PERIODS: Readonly<Record<BudgetState['period'], string>> = { day: 'each day', total: 'in all' };

function Used({ budget: { spentUsd, limitUsd, isReached } }: { readonly budget: BudgetState }) {
  if (limitUsd === null) return null;
  const share = Math.min(1, (spentUsd ?? 0) / limitUsd);
  return (
    <svg aria-hidden viewBox="0 0 100 4" preserveAspectRatio="none" className="block h-2 w-full rounded bg-idle-well">
      <rect width={Math.max(0.5, share * 100)} height="4" className={isReached ? 'fill-bad' : 'fill-bar'} />
    </svg>
  );
}

function BudgetForm() {
  const cache = useQueryClient();
  const { projects } = useProject();
  const [subject, setSubject] = useState('');
  const [period, setPeriod] = useState('total');
  const [limit, setLimit] = useState('');
  const { busy, error, run } = useCommand();
  const limitUsd = budgetOf(limit);
  const isWrong = Number.isNaN(limitUsd);
  const set = async () => {
    await sendHeld();
    const done = await run(() =>
      api.budgets.set({
        scope: subject === '' ? 'all' : 'project',
        subjectId: subject === '' ? null : subject,
        period: period === 'day' ? 'day' : 'total',
        limitUsd,
        whenReached: 'ask',
      }),
    );
    if (done === null) return;
    setLimit('');
    void cache.invalidateQueries({ queryKey: ['costs', 'budgets'] });
  };
  return (
    <div className="grid items-start gap-3 sm:grid-cols-4">
      <ChoiceField
        label="For"
        value={subject}
        choices={[{ value: '', label: 'Everything' }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={setSubject}
      />
      <ChoiceField
        label="Period"
        value={period}
        choices={[
          { value: 'total', label: 'In all' },
          { value: 'day', label: 'Each day' },
        ]}
        onChange={setPeriod}
      />
      <TextField
        label="Limit in USD"
        inputMode="decimal"
        value={limit}
        onChange={setLimit}
        {...(isWrong ? { problem: BUDGET_EXPECTED } : {})}
      />
      <Button
        className="justify-self-start sm:mt-6"
        isBusy={busy}
        disabled={limitUsd === null || isWrong}
        onClick={() => void set()}
      >
        Set budget
      </Button>
      <Refused error={error} />
    </div>
  );
}
