import { FIRST } from './001-first.ts';
import { MODEL } from './002-model.ts';
import { QUEUE } from './003-queue.ts';
import { SUPERVISE } from './004-supervise.ts';
import { SPEND } from './005-spend.ts';
import { NOTIFY } from './006-notify.ts';
import { SCM } from './007-scm.ts';
import { WORKERS } from './008-workers.ts';
import { MESSAGES } from './009-messages.ts';
import { KEYS } from './010-keys.ts';
import { OUTCOMES } from './011-outcomes.ts';
import { PEOPLE } from './012-people.ts';
import { CALLS } from './013-calls.ts';
import { OPEN_TASKS } from './014-open-tasks.ts';
import { IDENTITIES } from './016-identities.ts';
import { RUN_FILES } from './017-run-files.ts';
import { OPEN_QUESTIONS } from './018-open-questions.ts';
import { ENDED_SESSIONS } from './019-ended-sessions.ts';
import { ARCHIVES } from './020-archives.ts';
import { SPEND_DAYS } from './021-spend-days.ts';
import { TASK_TEXTS } from './022-task-texts.ts';
import { UNMERGED_WORK } from './023-unmerged-work.ts';
import type { Migration } from '../migration.ts';

export const MIGRATIONS: ReadonlyArray<Migration> = [
  FIRST,
  MODEL,
  QUEUE,
  SUPERVISE,
  SPEND,
  NOTIFY,
  SCM,
  WORKERS,
  MESSAGES,
  KEYS,
  OUTCOMES,
  PEOPLE,
  CALLS,
  OPEN_TASKS,
  IDENTITIES,
  RUN_FILES,
  OPEN_QUESTIONS,
  ENDED_SESSIONS,
  ARCHIVES,
  SPEND_DAYS,
  TASK_TEXTS,
  UNMERGED_WORK,
];
