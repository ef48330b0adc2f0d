import type { Artifact, Task } from '../types/index.ts';

const SLUG_LENGTH = 40;
const TAIL_LENGTH = 8;
const DEFAULT_PREFIX = 'agent/';

/** The branch the task has, else one from its title and the random tail of its id (ids begin with the time, so their heads are alike). */
export function branchName(task: Task, artifacts: ReadonlyArray<Artifact>, prefix = DEFAULT_PREFIX): string {
  const existing = artifacts.find((artifact) => artifact.type === 'branch')?.metadata['branchName'];
  if (typeof existing === 'string' && existing !== '') return existing;
  return `${prefix}${slug(task.title)}-${task.id.slice(-TAIL_LENGTH)}`;
}

function slug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return words === '' ? 'task' : words;
}
