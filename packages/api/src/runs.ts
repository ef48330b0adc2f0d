import { done, once } from '@attractor/base';
import { EFFORTS, PERMISSION_MODES, RUN_MODES } from '@attractor/facts';
import type { AgentRun, TaskDiff } from '@attractor/platform';
import { z } from 'zod';
import { diffAnswer } from './answers/branch.ts';
import { runAnswer, runViewAnswer } from './answers/run.ts';
import { list } from './answers/shape.ts';
import { found } from './found.ts';
import { ask, open, type HttpOptions } from './http.ts';
import { httpRoute, route } from './route.ts';
import { readOn } from './views/read-on.ts';
import { emptyRunView, runView, type RunView } from './views/run.ts';

const at = {
  list: 'GET /api/runs',
  get: 'GET /api/runs/:id',
  stop: 'POST /api/runs/:id/stop',
  diff: 'GET /api/runs/:id/diff',
  view: 'GET /api/views/runs/:id',
  bundle: 'GET /api/runs/:id/bundle',
} as const;

/** What a person may choose for a run, or for every run of a task. */
export const runOverrides = /* @__PURE__ */ once(() =>
  z.strictObject({
    agentType: z.string().min(1).exactOptional(),
    model: z.string().min(1).exactOptional(),
    provider: z.string().min(1).exactOptional(),
    maxTurns: z.number().int().positive().exactOptional(),
    timeout: z.number().int().positive().exactOptional(),
    effort: z.enum(EFFORTS).exactOptional(),
    permissionMode: z.enum(PERMISSION_MODES).exactOptional(),
    /** Further folders of the server's machine that it may work in. Only admins give them. */
    additionalDirectories: z
      .array(z.string().regex(FOLDER, FOLDER_EXPECTED))
      .max(MOST_FOLDERS)
      .readonly()
      .exactOptional(),
  }),
);

/** From the top of the file system on, and not all of it. */
const FOLDER = /^\/+[^/]/;
const FOLDER_EXPECTED = 'expected a folder, from / on';
const MOST_FOLDERS = 50;

export const startRunBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    mode: z.enum(RUN_MODES),
    overrides: runOverrides().exactOptional(),
    /** The task takes the pipeline's transition into this mode, if there is one. Absent: it stays in its status. */
    along: z.literal('pipeline').exactOptional(),
    /** What was done before is taken back by a new commit on the branch. Absent: the agent goes on from there. */
    from: z.literal('scratch').exactOptional(),
  }),
);

/** The most that one call lists, and how many if nobody says. */
const LISTED = 1000;

const runQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    taskId: z.string().exactOptional(),
    projectId: z.string().exactOptional(),
    status: z.enum(['running', 'completed', 'failed', 'cancelled', 'timeout']).exactOptional(),
    /** The first id of the page that is known: those that began before it. */
    before: z.string().exactOptional(),
    limit: z.coerce.number().int().min(1).max(LISTED).exactOptional(),
  }),
);

/** With `base` the files of the base commit go along. */
export const bundleQuery = /* @__PURE__ */ once(() => z.strictObject({ base: z.enum(['yes', 'no']).exactOptional() }));

export type StartRunBody = z.infer<ReturnType<typeof startRunBody>>;
export type RunQuery = Omit<z.input<ReturnType<typeof runQuery>>, 'limit'> & { readonly limit?: number };
export type BundleQuery = z.infer<ReturnType<typeof bundleQuery>>;

export type { AgentRun, AgentRunStatus, CheckResult } from '@attractor/platform';

export function runCalls(http: HttpOptions) {
  return {
    list: (query: RunQuery = {}) => ask<ReadonlyArray<AgentRun>>(http, at.list, { query }),
    get: (id: string) => ask<AgentRun>(http, at.get, { params: { id } }),
    stop: (id: string) => ask<AgentRun>(http, at.stop, { params: { id } }),
    diff: (id: string) => ask<TaskDiff>(http, at.diff, { params: { id } }),
    view: (id: string) => ask<RunView>(http, at.view, { params: { id } }),
    /** The bytes of one file, as they come: docs/run-bundle.md. */
    bundle: (id: string, query: BundleQuery = {}) => open(http, at.bundle, { params: { id }, query }),
  };
}

export const runRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list runs, the newest last; a page holds the newest of those that are asked for',
    access: ['viewer', 'visible'],
    answers: () => list(runAnswer()),
    query: runQuery,
    act: async ({ workflow, query: { limit = LISTED, ...query } }) => {
      const runs = await workflow.listRuns({ ...query, limit });
      const before = runs.length < limit ? undefined : runs[0]?.id;
      return { ...done(runs), left: before === undefined ? 0 : await workflow.countRuns({ ...query, before }) };
    },
  }),
  get: route(at.get, {
    about: 'show a run',
    access: ['viewer', 'named'],
    answers: runAnswer,
    act: async ({ workflow, params: { id } }) => found(await workflow.getRun(id), `run ${id}`),
  }),
  stop: route(at.stop, {
    about: 'stop a run',
    access: ['operator', 'named'],
    answers: runAnswer,
    act: ({ workflow, params, actor }) => workflow.stopAgent(params.id, actor),
  }),
  diff: route(at.diff, {
    about: 'show what a run changed',
    access: ['viewer', 'named'],
    answers: diffAnswer,
    act: ({ workflow, params: { id } }) => workflow.runDiff(id),
  }),
  view: route(at.view, {
    about: 'show a run as a page shows it, to be folded on with the stream',
    access: ['viewer', 'named'],
    answers: runViewAnswer,
    act: async ({ workflow, params: { id } }) => {
      const view = await readOn({ workflow, fold: runView, view: emptyRunView(id), filter: { runId: id } });
      return found(view.seq === 0 ? null : view, `run ${id}`);
    },
  }),
  bundle: httpRoute(at.bundle, {
    about: 'export a run as one file',
    access: ['viewer', 'named'],
    answers: { mediaType: 'application/gzip', about: 'the run as one file: lines of JSON, compressed' },
    query: bundleQuery,
  }),
}));
