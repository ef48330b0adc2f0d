import { once } from '@attractor/base';
import { EVENT_CATEGORIES, EVENT_LEVELS } from '@attractor/store/types';
import type { z as Zod } from 'zod';
import { z } from 'zod';
import type { HistoryEntry } from '../views/task.ts';
import type { TaskRow } from '../views/task-list.ts';
import { actorAnswer } from './actor.ts';
import { projectAnswer } from './project.ts';
import { promptAnswer } from './prompt.ts';
import { checkAnswer, runAnswer, spentAnswer, stepAnswer } from './run.ts';
import { id, list, time } from './shape.ts';
import { artifactAnswer, taskAnswer } from './task.ts';

/** The types of events are not listed: every version adds some. */
const historyEntry = () =>
  z.strictObject({
    seq: z.number(),
    at: time(),
    type: z.string() as Zod.ZodType as Zod.ZodType<HistoryEntry['type']>,
    category: z.enum([...EVENT_CATEGORIES, 'unknown']),
    level: z.enum(EVENT_LEVELS),
    summary: z.string(),
    actor: actorAnswer(),
    runId: z.string().nullable(),
  });

export const taskViewAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      seq: z.number(),
      taskId: z.string(),
      task: taskAnswer().nullable(),
      runs: list(z.strictObject({ run: runAnswer(), steps: list(stepAnswer()), spent: spentAnswer() })),
      prompts: list(promptAnswer()),
      answeredBy: z.record(z.string(), actorAnswer()),
      artifacts: list(artifactAnswer()),
      history: list(historyEntry()),
    })
    .meta({ id: 'TaskView' }),
);

const rowRun = () =>
  runAnswer()
    .pick({
      id: true,
      mode: true,
      status: true,
      agentType: true,
      model: true,
      outcome: true,
      error: true,
      startedAt: true,
      finishedAt: true,
    })
    .extend({
      steps: list(stepAnswer()),
      checks: list(checkAnswer().pick({ name: true, phase: true, passed: true, severity: true })),
    });

const waiting = () =>
  z.strictObject({
    id: id('prm'),
    type: z.string() as Zod.ZodType as Zod.ZodType<TaskRow['waiting'][number]['type']>,
    title: z.string(),
    createdAt: time(),
  });

export const taskListAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      seq: z.number(),
      rows: z.record(
        z.string(),
        z.strictObject({
          task: taskAnswer(),
          run: rowRun().nullable(),
          waiting: list(waiting()),
          spentByRun: z.record(z.string(), spentAnswer()),
          change: z.strictObject({ files: z.number(), additions: z.number(), deletions: z.number() }).nullable(),
        }),
      ),
      projects: z.record(z.string(), projectAnswer()),
    })
    .meta({ id: 'TaskListView' }),
);
