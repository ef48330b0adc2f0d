import { once } from '@attractor/base';
import { z } from 'zod';
import { actorAnswer } from './actor.ts';
import { runAnswer } from './run.ts';
import { list, time } from './shape.ts';
import { artifactAnswer, taskAnswer } from './task.ts';

export const branchAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      branch: z.string(),
      baseBranch: z.string(),
      headCommit: z.string(),
      baseCommit: z.string(),
      ahead: z.number(),
      behind: z.number(),
      conflicts: list(z.string()),
      remote: z.string().nullable(),
      remoteCommit: z.string().nullable(),
      pullRequest: z
        .strictObject({
          number: z.number().nullable(),
          state: z.enum(['draft', 'open', 'merged', 'closed']).nullable(),
          url: z.string().nullable(),
        })
        .nullable(),
    })
    .meta({ id: 'BranchState' }),
);

const hunk = () =>
  z.strictObject({
    oldStart: z.number(),
    newStart: z.number(),
    section: z.string(),
    lines: list(z.strictObject({ kind: z.enum(['context', 'added', 'removed']), text: z.string() })),
  });

const fileDiff = () =>
  z.strictObject({
    path: z.string(),
    status: z.enum(['added', 'removed', 'changed', 'moved']),
    movedFrom: z.string().nullable(),
    binary: z.boolean(),
    additions: z.number(),
    deletions: z.number(),
    contents: z.string(),
    hunks: list(hunk()),
  });

export const diffAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      branch: z.string(),
      baseBranch: z.string(),
      baseCommit: z.string(),
      headCommit: z.string(),
      filesChanged: z.number(),
      additions: z.number(),
      deletions: z.number(),
      files: list(fileDiff()),
      truncated: z.boolean(),
    })
    .meta({ id: 'TaskDiff' }),
);

export const pictureAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ mediaType: z.string(), base64: z.string() }).meta({ id: 'Picture' }),
);

export const linesAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({ commit: z.string(), from: z.number(), lines: list(z.string()), total: z.number() })
    .meta({ id: 'FileLines' }),
);

const effectWork = () =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('push'),
      branch: z.string(),
      commit: z.string(),
      only: z.literal('if absent').exactOptional(),
    }),
    z.strictObject({
      kind: z.literal('create_pr'),
      headBranch: z.string(),
      baseBranch: z.string(),
      title: z.string(),
      body: z.string(),
      state: z.enum(['open', 'draft']),
      phaseId: z.string().nullable(),
    }),
    z.strictObject({
      kind: z.literal('merge_pr'),
      artifactId: z.string(),
      headCommit: z.string().nullable(),
      method: z.enum(['squash', 'merge', 'ff']).exactOptional(),
    }),
    z.strictObject({ kind: z.literal('revert_merge'), artifactId: z.string() }),
    z.strictObject({
      kind: z.literal('roll_back'),
      branch: z.string(),
      owner: z.enum(['ours', 'theirs']),
      from: z.string(),
      to: z.string(),
      files: list(z.string()).exactOptional(),
      label: z.string(),
    }),
    z.strictObject({
      kind: z.literal('comment_pr'),
      artifactId: z.string(),
      commentKey: z.string(),
      body: z.string(),
    }),
    z.strictObject({
      kind: z.literal('create_branch'),
      branch: z.string(),
      baseBranch: z.string(),
      phaseId: z.string().nullable(),
    }),
    z.strictObject({ kind: z.literal('create_worktree'), branch: z.string(), baseBranch: z.string() }),
    z.strictObject({ kind: z.literal('keep_work'), branch: z.string() }),
  ]);

export const effectAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: z.string(),
      seq: z.number(),
      projectId: z.string(),
      taskId: z.string(),
      runId: z.string().nullable(),
      key: z.string(),
      work: effectWork().nullable(),
      needs: z.string().nullable(),
      state: z.enum(['waiting', 'running', 'done', 'failed']),
      attempts: z.number(),
      error: z.string().nullable(),
      actor: actorAnswer(),
      createdAt: time(),
      finishedAt: time().nullable(),
    })
    .meta({ id: 'Effect', description: 'What leaves this machine for a task.' }),
);

export const branchUpdateAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      how: z.enum(['up to date', 'rebased', 'merged', 'marked']),
      conflicts: list(z.string()).exactOptional(),
      before: z.string(),
      after: z.string(),
    })
    .meta({ id: 'BranchUpdate' }),
);

export const approvedAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ task: taskAnswer(), pullRequest: artifactAnswer().nullable() }).meta({ id: 'Approved' }),
);

export const resolvingAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ update: branchUpdateAnswer(), run: runAnswer().nullable() }).meta({ id: 'Resolving' }),
);

export const changesAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      branch: z.string(),
      baseBranch: z.string(),
      baseCommit: z.string(),
      headCommit: z.string(),
      mergedAs: z.string().nullable(),
      steps: list(
        z.strictObject({
          step: z.number(),
          commit: z.string(),
          author: z.string(),
          title: z.string(),
          runId: z.string().nullable(),
          files: list(z.strictObject({ path: z.string(), additions: z.number(), deletions: z.number() })),
        }),
      ),
    })
    .meta({ id: 'TaskChanges' }),
);

export const rolledBackAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ branch: z.string(), label: z.string(), commit: z.string().nullable() }).meta({ id: 'RolledBack' }),
);
