import { once } from '@attractor/base';
import type {
  Approved,
  Artifact,
  BranchState,
  BranchUpdate,
  Effect,
  FileLines,
  MergeMethod,
  Picture,
  Resolving,
  RolledBack,
  TaskChanges,
  TaskDiff,
} from '@attractor/platform';
import { z } from 'zod';
import {
  approvedAnswer,
  branchAnswer,
  branchUpdateAnswer,
  changesAnswer,
  diffAnswer,
  effectAnswer,
  linesAnswer,
  pictureAnswer,
  resolvingAnswer,
  rolledBackAnswer,
} from './answers/branch.ts';
import { list } from './answers/shape.ts';
import { artifactAnswer } from './answers/task.ts';
import { ofTask } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = {
  state: 'GET /api/tasks/:id/branch',
  diff: 'GET /api/tasks/:id/diff',
  picture: 'GET /api/tasks/:id/picture',
  lines: 'GET /api/tasks/:id/lines',
  push: 'POST /api/tasks/:id/push',
  rebase: 'POST /api/tasks/:id/rebase',
  merge: 'POST /api/tasks/:id/merge',
  approve: 'POST /api/tasks/:id/approve',
  resolve: 'POST /api/tasks/:id/resolve-conflict',
  revert: 'POST /api/tasks/:id/revert-merge',
  changes: 'GET /api/tasks/:id/changes',
  rollBack: 'POST /api/tasks/:id/rollback',
  effects: 'GET /api/tasks/:id/effects',
} as const;

/** A phase of the task, if it has any. */
const phaseQuery = /* @__PURE__ */ once(() => z.strictObject({ phaseId: z.string().exactOptional() }));

/** A file of the change: as it was before, or as it is after it. */
const pictureQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    phaseId: z.string().exactOptional(),
    path: z.string().min(1).max(4_000),
    side: z.enum(['before', 'after']),
  }),
);

/** At most so many lines are unfolded at once. */
const MOST_LINES = 500;

const linesQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    phaseId: z.string().exactOptional(),
    path: z.string().min(1).max(4_000),
    from: z.coerce.number().int().min(1),
    count: z.coerce.number().int().min(1).max(MOST_LINES),
  }),
);

const mergeQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    phaseId: z.string().exactOptional(),
    /** Absent: as the project says. */
    method: z.enum(['squash', 'merge', 'ff'] satisfies ReadonlyArray<MergeMethod>).exactOptional(),
  }),
);

const approvalBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    /** Of the review that was shown. */
    contentHash: z.string().min(1).max(200).exactOptional(),
    message: z.string().max(100_000).exactOptional(),
    merge: z.boolean().exactOptional(),
    method: z.enum(['squash', 'merge', 'ff'] satisfies ReadonlyArray<MergeMethod>).exactOptional(),
  }),
);

const rollBackBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    step: z.int().min(1).exactOptional(),
    files: z.array(z.string().min(1).max(4_000)).min(1).max(1_000).readonly().exactOptional(),
  }),
);

export type RollBackBody = z.infer<ReturnType<typeof rollBackBody>>;

export type ApprovalBody = z.infer<ReturnType<typeof approvalBody>>;

export type MergeQuery = z.infer<ReturnType<typeof mergeQuery>>;

export type PictureQuery = z.infer<ReturnType<typeof pictureQuery>>;

export type LinesQuery = z.infer<ReturnType<typeof linesQuery>>;

export type PhaseQuery = z.infer<ReturnType<typeof phaseQuery>>;

export type { BranchState, BranchUpdate, TaskChanges, TaskDiff };
export type { Effect, FileDiff, FileLines } from '@attractor/platform';

/** For a task, or one of its phases. The service does everything that leaves the machine; a call returns once it is done. */
export function branchCalls(http: HttpOptions) {
  return {
    state: (id: string, query: PhaseQuery = {}) => ask<BranchState>(http, at.state, { params: { id }, query }),
    diff: (id: string, query: PhaseQuery = {}) => ask<TaskDiff>(http, at.diff, { params: { id }, query }),
    picture: (id: string, query: PictureQuery) => ask<Picture>(http, at.picture, { params: { id }, query }),
    lines: (id: string, query: LinesQuery) => ask<FileLines>(http, at.lines, { params: { id }, query }),
    push: (id: string, query: PhaseQuery = {}) => ask<ReadonlyArray<Effect>>(http, at.push, { params: { id }, query }),
    rebase: (id: string, query: PhaseQuery = {}) => ask<BranchUpdate>(http, at.rebase, { params: { id }, query }),
    merge: (id: string, query: MergeQuery = {}) => ask<Artifact>(http, at.merge, { params: { id }, query }),
    approve: (id: string, body: ApprovalBody = {}) => ask<Approved>(http, at.approve, { params: { id }, body }),
    resolve: (id: string, query: PhaseQuery = {}) => ask<Resolving>(http, at.resolve, { params: { id }, query }),
    revert: (id: string, query: PhaseQuery = {}) => ask<Artifact>(http, at.revert, { params: { id }, query }),
    changes: (id: string, query: PhaseQuery = {}) => ask<TaskChanges>(http, at.changes, { params: { id }, query }),
    rollBack: (id: string, body: RollBackBody = {}) => ask<RolledBack>(http, at.rollBack, { params: { id }, body }),
    effects: (id: string) => ask<ReadonlyArray<Effect>>(http, at.effects, { params: { id } }),
  };
}

export const branchRoutes = /* @__PURE__ */ once(() => ({ ...branchActs(), ...workActs() }));

const branchActs = () => ({
  state: route(at.state, {
    about: "show how a task's branch stands",
    access: ['viewer', 'named'],
    answers: branchAnswer,
    query: phaseQuery,
    act: ({ workflow, params, query }) => workflow.branchState({ taskId: params.id, ...query }),
  }),
  diff: route(at.diff, {
    about: 'show what changed on the branch',
    access: ['viewer', 'named'],
    answers: diffAnswer,
    query: phaseQuery,
    act: ({ workflow, params, query }) => workflow.diff({ taskId: params.id, ...query }),
  }),
  picture: route(at.picture, {
    about: 'show a picture that changed on the branch',
    access: ['viewer', 'named'],
    answers: pictureAnswer,
    query: pictureQuery,
    act: ({ workflow, params, query }) => workflow.picture({ taskId: params.id, ...query }),
  }),
  lines: route(at.lines, {
    about: 'show lines of a changed file that the diff leaves out',
    access: ['viewer', 'named'],
    answers: linesAnswer,
    query: linesQuery,
    act: ({ workflow, params, query }) => workflow.fileLines({ taskId: params.id, ...query }),
  }),
  push: route(at.push, {
    about: 'push the branch',
    access: ['operator', 'named'],
    answers: () => list(effectAnswer()),
    query: phaseQuery,
    act: ({ workflow, params, query, actor }) => workflow.pushBranch({ taskId: params.id, ...query }, actor),
  }),
  rebase: route(at.rebase, {
    about: 'bring the branch up to date with its base',
    access: ['operator', 'named'],
    answers: branchUpdateAnswer,
    query: phaseQuery,
    act: ({ workflow, params, query, actor }) => workflow.rebase({ taskId: params.id, ...query }, actor),
  }),
  merge: route(at.merge, {
    about: 'merge the pull request',
    access: ['operator', 'named'],
    answers: artifactAnswer,
    query: mergeQuery,
    act: ({ workflow, params, query, actor }) => workflow.mergePullRequest({ taskId: params.id, ...query }, actor),
  }),
  approve: route(at.approve, {
    about: 'accept the work of a task, and merge it if asked to',
    access: ['operator', 'named'],
    answers: approvedAnswer,
    body: approvalBody,
    act: ({ workflow, params, body, actor }) => workflow.approve({ taskId: params.id, ...body }, actor),
  }),
});

const workActs = () => ({
  resolve: route(at.resolve, {
    about: 'let an agent resolve what conflicts with the base',
    access: ['operator', 'named'],
    answers: resolvingAnswer,
    query: phaseQuery,
    act: ({ workflow, params, query, actor }) => workflow.resolveConflict({ taskId: params.id, ...query }, actor),
  }),
  revert: route(at.revert, {
    about: 'take the merge of a task back by a commit on its base',
    access: ['operator', 'named'],
    answers: artifactAnswer,
    query: phaseQuery,
    act: ({ workflow, params, query, actor }) => workflow.revertMerge({ taskId: params.id, ...query }, actor),
  }),
  changes: route(at.changes, {
    about: 'list what a task changed, step by step',
    access: ['viewer', 'named'],
    answers: changesAnswer,
    query: phaseQuery,
    act: ({ workflow, params, query }) => workflow.taskChanges({ taskId: params.id, ...query }),
  }),
  rollBack: route(at.rollBack, {
    about: 'undo work of a task by a new commit: all of it, a step, or some files',
    access: ['operator', 'named'],
    answers: rolledBackAnswer,
    body: rollBackBody,
    act: ({ workflow, params, body, actor }) => workflow.rollBack({ taskId: params.id, ...body }, actor),
  }),
  effects: route(at.effects, {
    about: 'list what left this machine for a task, or is about to',
    access: ['viewer', 'named'],
    answers: () => list(effectAnswer()),
    act: ofTask((workflow, taskId) => workflow.listEffects(taskId)),
  }),
});
