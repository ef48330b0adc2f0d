import { keyOf } from '@attractor/api';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Act, useActs } from '../../keys/acts.ts';
import type { Column } from '@attractor/api/shown';

/** J and K go over the tasks, H and L over columns if there are several, Enter opens the chosen one. Returns its id. */
export function useBoardKeys(columns: ReadonlyArray<Pick<Column, 'rows'>>): string | null {
  const [chosen, setChosen] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const filled = columns.filter(({ rows }) => rows.length > 0);
  const column = Math.max(
    0,
    filled.findIndex(({ rows }) => rows.some(({ task }) => task.id === chosen)),
  );
  const at = Math.max(0, filled[column]?.rows.findIndex(({ task }) => task.id === chosen) ?? 0);
  const go = (columnStep: number, step: number) => {
    const next = filled[Math.min(filled.length - 1, Math.max(0, column + (chosen === null ? 0 : columnStep)))];
    const row = next?.rows[Math.min(next.rows.length - 1, Math.max(0, at + (chosen === null ? 0 : step)))];
    if (row !== undefined) setChosen(row.task.id);
  };
  const row = chosen === null ? undefined : filled[column]?.rows[at];
  const isBoard = columns.length > 1;
  const group = GROUP;
  useActs([
    { id: 'board down', label: 'Next task', group, keys: 'j', run: () => go(0, 1), isQuiet: true },
    { id: 'board up', label: 'Previous task', group, keys: 'k', run: () => go(0, -1), isQuiet: true },
    ...(isBoard ? sideways(go) : []),
    ...(row === undefined
      ? []
      : [
          {
            id: 'board open',
            label: `Open ${keyOf(row.task)}`,
            group,
            keys: 'Enter',
            run: () => {
              const here = document.activeElement;
              if (here instanceof HTMLElement && here.closest('a, button') !== null) here.click();
              else navigate(`/tasks/${keyOf(row.task)}`);
            },
          },
          {
            id: 'board act',
            label: `${isBoard ? 'Move' : 'Select'} ${keyOf(row.task)}`,
            group,
            keys: isBoard ? 'm' : 'x',
            run: () => document.getElementById(`act-${row.task.id}`)?.click(),
          },
        ]),
  ]);
  return chosen;
}

const GROUP = 'Board';

function sideways(go: (columnStep: number, step: number) => void): ReadonlyArray<Act> {
  const quiet = { group: GROUP, isQuiet: true } as const;
  return [
    { id: 'board left', label: 'Column to the left', keys: 'h', run: () => go(-1, 0), ...quiet },
    { id: 'board right', label: 'Column to the right', keys: 'l', run: () => go(1, 0), ...quiet },
  ];
}
