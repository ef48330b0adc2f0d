import type { Row } from '../command-world.ts';
import { OLDER_ROWS } from './older-rows.ts';
import { PEOPLE_ROWS } from './people-rows.ts';
import { PROJECT_ROWS } from './project-rows.ts';
import { RUN_ROWS } from './run-rows.ts';
import { TASK_PART_ROWS } from './task-part-rows.ts';
import { TASK_ROWS } from './task-rows.ts';
import { WORK_ROWS } from './work-rows.ts';

/** One row for each command of the program; a test finds missing ones. */
export const ROWS: ReadonlyArray<Row> = [
  ...OLDER_ROWS,
  ...PROJECT_ROWS,
  ...TASK_ROWS,
  ...TASK_PART_ROWS,
  ...RUN_ROWS,
  ...WORK_ROWS,
  ...PEOPLE_ROWS,
];
