import { z } from 'zod';
import { once } from './once.ts';
import type { ImportedIssues, Issue } from '@attractor/platform';
import { get, post, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

/** The issues of a project's forge. */
export const issueRoutes = {
  all: '/api/projects/:id/issues',
  import: '/api/projects/:id/issues/import',
} as const;

export const importIssuesBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    numbers: z.union([z.literal('all'), z.array(z.number().int().positive()).min(1).max(1000).readonly()]),
    pipeline: z.string().min(1).exactOptional(),
  }),
);

export type ImportIssuesBody = z.infer<ReturnType<typeof importIssuesBody>>;

export type { ImportedIssues, Issue } from '@attractor/platform';

export function issueCalls(http: HttpOptions) {
  return {
    list: (projectId: string) => get<ReadonlyArray<Issue>>(http, fillPath(issueRoutes.all, { id: projectId })),
    import: (projectId: string, body: ImportIssuesBody) =>
      post<ImportedIssues>(http, fillPath(issueRoutes.import, { id: projectId }), body),
  };
}
