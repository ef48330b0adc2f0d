import type { ComponentType } from 'react';
import { late } from './data/late.ts';

type Place = { readonly path: string; readonly body: ComponentType<{ readonly id: string }> };

/** One file for each place; it is loaded when somebody goes there. */
export const ROUTES: ReadonlyArray<Place> = [
  place('/', () => import('./places/inbox/inbox.tsx').then((part) => part.InboxPlace)),
  place('/board', () => import('./places/board/board.tsx').then((part) => part.BoardPlace)),
  place('/new', () => import('./places/new-task/new-task.tsx').then((part) => part.NewTaskPlace)),
  place('/tasks/:id', () => import('./places/task/task.tsx').then((part) => part.TaskPlace)),
  place('/tasks/:id/compare', () => import('./places/compare/compare.tsx').then((part) => part.ComparePlace)),
  place('/runs/:id', () => import('./places/run/run.tsx').then((part) => part.RunPlace)),
  place('/pipelines', () => import('./places/pipelines/pipelines.tsx').then((part) => part.PipelinesPlace)),
  place('/pipelines/:id', () => import('./places/pipelines/pipeline.tsx').then((part) => part.PipelinePlace)),
  place('/costs', () => import('./places/costs/costs.tsx').then((part) => part.CostsPlace)),
  place('/insights', () => import('./places/insights/insights.tsx').then((part) => part.InsightsPlace)),
  place('/agents', () => import('./places/agents/agents.tsx').then((part) => part.AgentsPlace)),
  place('/sessions', () => import('./places/sessions/sessions.tsx').then((part) => part.SessionsPlace)),
  place('/sessions/:id', () => import('./places/sessions/session.tsx').then((part) => part.SessionPlace)),
  place('/start', () => import('./places/start/start.tsx').then((part) => part.StartPlace)),
  place('/projects', () => import('./places/projects/projects.tsx').then((part) => part.ProjectsPlace)),
  place('/settings', () => import('./places/settings/settings.tsx').then((part) => part.SettingsPlace)),
];

function place(path: string, load: () => Promise<ComponentType<{ readonly id: string }>>): Place {
  return { path, body: late(load) };
}
