import { once } from '@attractor/base';
import { COMPLEXITIES, PRIORITIES, SIZES, RUN_MODES } from '@attractor/facts';
import { z } from 'zod';
import { actorAnswer } from './actor.ts';
import { id, list, time } from './shape.ts';

export const taskAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('tsk'),
      key: z.string().meta({ description: 'What people call it: `ATT-12`.' }),
      projectId: id('prj'),
      title: z.string(),
      description: z.string(),
      status: z.string().meta({ description: "One of the statuses of the task's pipeline." }),
      pipelineId: z.string(),
      pipelineVersion: z.number(),
      priority: z.enum(PRIORITIES),
      size: z.enum(SIZES),
      complexity: z.enum(COMPLEXITIES),
      tags: list(z.string()),
      plan: z.string().nullable(),
      sourceUrl: z.string().nullable(),
      acceptanceCriteria: list(z.strictObject({ text: z.string(), met: z.boolean() })),
      parentTaskId: id('tsk').nullable(),
      sortOrder: z.number(),
      pendingPayload: z
        .strictObject({ outcome: z.string(), payload: z.unknown(), response: z.unknown() })
        .nullable()
        .meta({ description: 'What an agent left for a person while the task waits.' }),
      version: z.number().meta({ description: 'Counts every change.' }),
      createdAt: time(),
      updatedAt: time(),
    })
    .meta({ id: 'Task' }),
);

export const taskPageAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ tasks: list(taskAnswer()), next: z.string().nullable() }).meta({ id: 'TaskPage' }),
);

export const bulkAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      done: list(z.string()),
      refused: list(z.strictObject({ taskId: z.string(), message: z.string() })),
    })
    .meta({ id: 'BulkResult' }),
);

export const transitionEntryAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      taskId: z.string(),
      transitionId: z.string(),
      from: z.string(),
      to: z.string(),
      trigger: z.string(),
      actor: actorAnswer(),
      reason: z.string().nullable(),
      payload: z.unknown(),
      guardsChecked: list(z.string()),
      hooksExecuted: list(z.strictObject({ hook: z.string(), ok: z.boolean(), error: z.string().exactOptional() })),
      at: time(),
    })
    .meta({ id: 'TaskHistoryEntry' }),
);

export const phaseAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('pha'),
      taskId: id('tsk'),
      name: z.string(),
      description: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed', 'skipped']),
      position: z.number(),
    })
    .meta({ id: 'TaskPhase' }),
);

export const splitAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('spl'),
      taskId: id('tsk'),
      runId: id('run').nullable(),
      mode: z.enum(RUN_MODES).nullable(),
      subtasks: list(z.strictObject({ name: z.string(), title: z.string(), taskId: id('tsk'), key: z.string() })),
      createdAt: time(),
      settledAt: time().nullable(),
    })
    .meta({ id: 'Split' }),
);

export const noteAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({ id: id('not'), taskId: id('tsk'), text: z.string(), author: actorAnswer(), createdAt: time() })
    .meta({ id: 'TaskNote' }),
);

export const attachmentAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('att'),
      taskId: id('tsk'),
      name: z.string(),
      mediaType: z.string(),
      size: z.number(),
      sha256: z.string(),
      createdAt: time(),
    })
    .meta({ id: 'Attachment' }),
);

export const artifactAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('art'),
      taskId: id('tsk'),
      key: z.string(),
      phaseId: z.string().nullable(),
      runId: id('run').nullable(),
      type: z.enum(['branch', 'commit', 'diff', 'pull_request', 'document', 'mock', 'link']),
      label: z.string(),
      url: z.string().nullable(),
      content: z.string().nullable(),
      filePath: z.string().nullable(),
      createdBy: z.enum(['user', 'agent', 'system']),
      metadata: z.record(z.string(), z.unknown()),
      createdAt: time(),
    })
    .meta({ id: 'Artifact' }),
);

export const dependenciesAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ dependsOn: list(taskAnswer()), blocks: list(taskAnswer()) }).meta({ id: 'Dependencies' }),
);

export const dependencyGraphAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      tasks: list(z.strictObject({ id: id('tsk'), key: z.string(), title: z.string(), status: z.string() })),
      edges: list(z.strictObject({ taskId: z.string(), dependsOnId: z.string() })),
    })
    .meta({ id: 'DependencyGraph' }),
);
