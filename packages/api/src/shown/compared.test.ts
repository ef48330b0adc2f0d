import { expect, it } from 'vitest';
import { bestBy, changedLines, chosenRuns, type Compared, failedChecks, filesOf } from './compared.ts';

function compared(id: string, costUsd: number | null, files: ReadonlyArray<string> = []): Compared {
  const diff = { additions: files.length, deletions: 0, files: files.map((path) => ({ path })) };
  return { run: { id }, view: { spent: { costUsd }, checks: [] }, diff, attempt: null } as unknown as Compared;
}

const cost = ({ view }: Compared) => view.spent.costUsd;

it('names who needed least, and nobody where there is nothing to tell apart', () => {
  const runs = [compared('a', 2), compared('b', 1), compared('c', 1), compared('d', null)];
  expect([...bestBy(runs, cost)]).toEqual(['b', 'c']);
  expect([...bestBy(runs.slice(1, 3), cost)]).toEqual([]);
  expect([...bestBy([compared('a', 1), compared('d', null)], cost)]).toEqual([]);
  const atWork = { ...compared('e', 3), run: { id: 'e', status: 'running' } } as unknown as Compared;
  expect([...bestBy([...runs, atWork], cost)]).toEqual([]);
});

it('holds the runs of the address against each other, else the newest attempts, else the last two', () => {
  const runs = ['1', '2', '3'].map((n) => ({ run: { id: `run_${n}`, key: `A-1.${n}` } }));
  const world = { task: { runs } } as unknown as Parameters<typeof chosenRuns>[0];
  const group = { attempts: [{ run: { id: 'run_1' } }, { run: { id: 'run_3' } }] } as unknown as Parameters<
    typeof chosenRuns
  >[1];
  expect(chosenRuns(world, group, ['A-1.2', 'run_1', 'gone'])).toEqual(['run_2', 'run_1']);
  expect(chosenRuns(world, group, [])).toEqual(['run_1', 'run_3']);
  expect(chosenRuns(world, null, [])).toEqual(['run_2', 'run_3']);
});

it('counts the failures that are the work’s own, and lists every file once, the most changed first', () => {
  const check = { phase: 'branch', passed: false, name: 'tests' };
  const one = {
    ...compared('a', 1, ['b.ts', 'a.ts']),
    view: { checks: [check, { ...check, name: 'lint', known: true }, { ...check, phase: 'base', name: 'types' }] },
  } as unknown as Compared;
  expect(failedChecks(one)).toEqual(['tests']);
  expect([one, compared('b', 1), compared('c', 1, ['a.ts'])].map(changedLines)).toEqual([null, null, 1]);
  expect(filesOf([one, compared('b', 1, ['b.ts', 'c.ts'])])).toEqual(['b.ts', 'a.ts', 'c.ts']);
});
