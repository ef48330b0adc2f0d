import type { PlatformEvent } from '@attractor/platform';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyLog, runs } from '../test-support/log.ts';
import type { Fold, View } from './fold.ts';
import { emptyRunView, runView } from './run.ts';
import { EMPTY_TASK_LIST, taskListView } from './task-list.ts';
import { emptyTaskView, taskView } from './task.ts';

lawsOf('the list of tasks', taskListView, () => EMPTY_TASK_LIST);
lawsOf('a task', taskView, () => emptyTaskView('tsk_1'));
lawsOf('a run', runView, () => emptyRunView('run_1'));

/** What makes a snapshot, a stream and a reload show the same thing. */
function lawsOf<V extends View>(name: string, { fold, foldAll }: Fold<V>, empty: () => V): void {
  const inOrder = (log: ReadonlyArray<PlatformEvent>) => log.reduce(fold, empty());

  describe(`the view of ${name}`, () => {
    it('is the same from a snapshot and the rest, wherever the log is split', () => {
      fc.assert(
        fc.property(anyLog, fc.nat(), (log, cut) => {
          const at = log.length === 0 ? 0 : cut % (log.length + 1);
          const snapshot: V = JSON.parse(JSON.stringify(foldAll(empty(), log.slice(0, at))));
          expect(foldAll(snapshot, log.slice(at))).toEqual(inOrder(log));
        }),
        runs(150),
      );
    });

    it('does not change by events that it has already seen', () => {
      fc.assert(
        fc.property(anyLog, fc.nat(), (log, from) => {
          const view = foldAll(empty(), log);
          const again = log.slice(log.length === 0 ? 0 : from % log.length);
          expect(foldAll(view, again)).toBe(view);
          expect(
            foldAll(
              empty(),
              log.flatMap((event) => [event, event]),
            ),
          ).toEqual(view);
        }),
        runs(150),
      );
    });

    it('leaves earlier views as they were', () => {
      fc.assert(
        fc.property(anyLog, (log) => {
          let view = empty();
          for (const event of log) {
            const before = JSON.stringify(view);
            const next = fold(view, event);
            expect(JSON.stringify(view)).toBe(before);
            view = next;
          }
        }),
        runs(50),
      );
    });
  });
}
