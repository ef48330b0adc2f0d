import type { Project } from '@attractor/api';
import { useKept } from './kept.ts';
import { useTaskList } from './task-list.ts';

type ProjectChoice = {
  /** Null: all of them. */
  readonly projectId: string | null;
  readonly projects: ReadonlyArray<Project>;
  readonly choose: (projectId: string | null) => void;
};

const NONE: ReadonlyArray<Project> = [];

/** The project that the whole app is narrowed to. */
export function useProject(): ProjectChoice {
  const [kept, choose] = useKept('project');
  const list = useTaskList();
  const projects = list.state === 'ready' ? Object.values(list.value.projects) : NONE;
  const isKnown = list.state !== 'ready' || projects.some(({ id }) => id === kept);
  return { projectId: isKnown ? kept : null, projects, choose };
}
