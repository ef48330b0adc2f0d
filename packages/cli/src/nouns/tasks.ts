import type { Command } from 'commander';
import { defineNoun } from '../verbs/noun.ts';
import { declareTaskRun } from '../task-run/declare.ts';
import { TASK_BRANCH_VERBS } from './tasks/task-branch.ts';
import { TASK_ROLLBACK_VERBS } from './tasks/task-rollback.ts';
import { TASK_BULK_VERBS } from './tasks/task-bulk.ts';
import { TASK_CRITERIA_VERBS } from './tasks/task-criteria.ts';
import { TASK_MESSAGE_VERBS } from './tasks/task-messages.ts';
import { TASK_MOVE_VERBS } from './tasks/task-moves.ts';
import { TASK_RECORD_VERBS } from './tasks/task-records.ts';
import { TASK_SPLIT_VERBS } from './tasks/task-splits.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'What should be done, and the state of each task.',
    verbs: [
      ...TASK_RECORD_VERBS,
      ...TASK_MOVE_VERBS,
      ...TASK_SPLIT_VERBS,
      ...TASK_CRITERIA_VERBS,
      ...TASK_MESSAGE_VERBS,
      ...TASK_BRANCH_VERBS,
      ...TASK_ROLLBACK_VERBS,
      ...TASK_BULK_VERBS,
    ],
  });
  declareTaskRun(command, finish);
}
