import { dependencyRoutes, type Dependencies, type DependencyGraph } from '../dependencies.ts';
import type { Done } from '../done.ts';
import { get, post, remove, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';

export function dependencyCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => get<Dependencies>(http, fillPath(dependencyRoutes.all, { id: taskId })),
    add: (taskId: string, dependsOnId: string) =>
      post<Done>(http, fillPath(dependencyRoutes.all, { id: taskId }), { dependsOnId }),
    remove: (taskId: string, other: string) =>
      remove<Done>(http, fillPath(dependencyRoutes.one, { id: taskId, other })),
    graph: (projectId: string) => get<DependencyGraph>(http, fillPath(dependencyRoutes.graph, { id: projectId })),
  };
}
