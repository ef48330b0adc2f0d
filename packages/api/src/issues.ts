import { once } from '@attractor/base';
import type { ImportedIssues, Issue } from '@attractor/platform';
import { z } from 'zod';
import { importedAnswer, issueAnswer } from './answers/issue.ts';
import { list } from './answers/shape.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

/** The issues of a project's forge. */
const at = { list: 'GET /api/projects/:id/issues', import: 'POST /api/projects/:id/issues/import' } as const;

const importIssuesBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    numbers: z.union([z.literal('all'), z.array(z.number().int().positive()).min(1).max(1000).readonly()]),
    pipeline: z.string().min(1).exactOptional(),
  }),
);

export type ImportIssuesBody = z.infer<ReturnType<typeof importIssuesBody>>;

export type { ImportedIssues, Issue } from '@attractor/platform';

export function issueCalls(http: HttpOptions) {
  return {
    list: (projectId: string) => ask<ReadonlyArray<Issue>>(http, at.list, { params: { id: projectId } }),
    import: (projectId: string, body: ImportIssuesBody) =>
      ask<ImportedIssues>(http, at.import, { params: { id: projectId }, body }),
  };
}

export const issueRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: "list the open issues of a project's forge",
    access: ['viewer', 'named'],
    answers: () => list(issueAnswer()),
    act: ({ workflow, params }) => workflow.listIssues(params.id),
  }),
  import: route(at.import, {
    about: 'make tasks of issues',
    access: ['operator', 'named'],
    answers: importedAnswer,
    body: importIssuesBody,
    act: ({ workflow, params, body, actor }) => workflow.importIssues({ projectId: params.id, ...body }, actor),
  }),
}));
