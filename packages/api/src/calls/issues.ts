import type { ImportedIssues, Issue } from '@attractor/platform';
import { get, post, type HttpOptions } from '../http.ts';
import { issueRoutes, type ImportIssuesBody } from '../issues.ts';
import { fillPath } from '../path.ts';

export function issueCalls(http: HttpOptions) {
  return {
    list: (projectId: string) => get<ReadonlyArray<Issue>>(http, fillPath(issueRoutes.all, { id: projectId })),
    import: (projectId: string, body: ImportIssuesBody) =>
      post<ImportedIssues>(http, fillPath(issueRoutes.import, { id: projectId }), body),
  };
}
