import { once } from '@attractor/base';
import { z } from 'zod';
import { promptAnswer } from './prompt.ts';
import { queueAnswer } from './queue.ts';
import { runAnswer } from './run.ts';
import { list, record, time } from './shape.ts';
import { inboxAnswer, statedTaskAnswer } from './state.ts';

const PARTS = ['database', 'git', 'disk', 'workers', 'queue', 'prompts', 'limits', 'supervisor', 'agents'] as const;

const health = () =>
  z.strictObject({
    ok: z.boolean(),
    parts: list(z.strictObject({ name: z.enum(PARTS), ok: z.boolean(), summary: z.string(), detail: record() })),
  });

export const limitAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({ account: z.string(), until: time(), reason: z.string(), runId: z.string() })
    .meta({ id: 'ProviderLimit' }),
);

export const statusAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      running: list(runAnswer()),
      runningLeft: z.number(),
      waiting: list(promptAnswer()),
      queue: queueAnswer().pick({ isPaused: true, running: true, queued: true, lanes: true }),
      limits: list(limitAnswer()),
      work: list(statedTaskAnswer()),
      inbox: inboxAnswer(),
      health: health(),
    })
    .meta({ id: 'Status' }),
);

export const superviseAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      at: time(),
      findings: list(
        z.strictObject({
          check: z.string(),
          taskId: z.string().nullable(),
          runId: z.string().nullable(),
          summary: z.string(),
        }),
      ),
      skipped: list(z.enum(['records', 'machine'])),
      problems: list(z.string()),
    })
    .meta({ id: 'SupervisorReport' }),
);

export const diskAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      totalBytes: z.number(),
      maxBytes: z.number().nullable(),
      freeBytes: z.number(),
      homeBytes: z.number(),
      worktrees: list(
        z.strictObject({ projectId: z.string(), taskId: z.string(), path: z.string(), bytes: z.number() }),
      ),
    })
    .meta({ id: 'DiskUsage' }),
);
