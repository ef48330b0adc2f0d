import { keep, useKept } from '../data/kept.ts';

/** Whether somebody has opened the change of a task in this browser. */
export function useOpened(taskId: string): boolean {
  const [opened] = useKept(nameOf(taskId));
  return opened !== null;
}

export function markOpened(taskId: string): void {
  keep(nameOf(taskId), 'yes');
}

function nameOf(taskId: string): string {
  return `opened.${taskId}`;
}
