import { once } from '@attractor/base';
import { PERMISSION_MODES } from '@attractor/facts';
import { z } from 'zod';
import { id, list, time } from './shape.ts';

const retryChoices = () =>
  z.strictObject({
    enabled: z.boolean().exactOptional(),
    maxAttempts: z.number().exactOptional(),
    delayMs: z.number().exactOptional(),
    factor: z.number().exactOptional(),
    timeoutMs: z.number().exactOptional(),
    maxWaits: z.number().exactOptional(),
  });

const gitChoices = () =>
  z.strictObject({
    branchPrefix: z.string().exactOptional(),
    prDraft: z.boolean().exactOptional(),
    prTemplate: z.string().exactOptional(),
    scm: z.enum(['local', 'gh']).exactOptional(),
    mergeMethod: z.enum(['squash', 'merge', 'ff']).exactOptional(),
    remoteUrl: z.string().exactOptional(),
  });

const words = () => z.record(z.string(), z.string());

const projectSettings = () =>
  z.strictObject({
    defaultPipeline: z.string().exactOptional(),
    pipelineByType: words().exactOptional(),
    defaultAgentType: z.string().exactOptional(),
    maxConcurrentRuns: z.number().exactOptional(),
    labels: list(z.string()).exactOptional(),
    account: z.string().exactOptional(),
    permissionMode: z.enum(PERMISSION_MODES).exactOptional(),
    additionalDirectories: list(z.string()).exactOptional(),
    approver: z.enum(['anyone', 'another']).exactOptional(),
    retry: retryChoices().exactOptional(),
    autoRun: words().exactOptional(),
    worktreesPath: z.string().exactOptional(),
    keepTranscriptsDays: z.number().exactOptional(),
    git: gitChoices().exactOptional(),
    notifications: z.record(z.string(), z.boolean()).exactOptional(),
  });

export const projectAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('prj'),
      key: z.string(),
      name: z.string(),
      path: z.string(),
      description: z.string(),
      defaultBranch: z.string(),
      trustedConfigHash: z.string().nullable(),
      config: projectSettings(),
      createdAt: time(),
    })
    .meta({ id: 'Project' }),
);

export const configExaminationAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      state: z.enum(['trusted', 'unknown', 'changed']),
      hash: z.string(),
      files: list(z.strictObject({ path: z.string(), content: z.string() })),
      difference: list(
        z.strictObject({
          path: z.string(),
          change: z.enum(['added', 'removed', 'changed']),
          lines: list(z.string()),
        }),
      ),
      problems: list(z.string()),
      checks: list(z.strictObject({ name: z.string(), command: z.string() })),
    })
    .meta({ id: 'ConfigExamination' }),
);

export const projectInfoAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      project: projectAnswer(),
      tasks: z.record(z.string(), z.number()).meta({ description: 'Tasks by status.' }),
      runningRuns: z.number().meta({ description: 'Runs that an agent works on now.' }),
      queuedRuns: z.number().meta({ description: 'Runs that wait for a free worker, or for what holds them back.' }),
      pendingPrompts: z.number(),
      waiting: z.number().meta({ description: 'Tasks that wait for a person, as the inbox has them.' }),
    })
    .meta({ id: 'ProjectInfo' }),
);
