import { type Keyed, mergeStep, type NextStep } from './next-step.ts';
import { shellWord } from './shell-word.ts';
import type { MergeObstacle } from './state-facts.ts';

/** What is in the way first: merging again alone would only say the same once more. */
export function wayToMerge(task: Keyed, obstacle: MergeObstacle | null): ReadonlyArray<NextStep> {
  const merge = mergeStep(task);
  if (obstacle === null) return [merge];
  if (obstacle.kind === 'nothing') return [];
  if (obstacle.kind === 'uncommitted') return [putAsideStep(obstacle), merge];
  return [obstacle.kind === 'conflict' ? resolveStep(task) : rebaseStep(task), merge];
}

function resolveStep(task: Keyed): NextStep {
  return {
    id: 'resolve',
    label: 'Let an agent resolve what conflicts',
    command: `attractor tasks resolve ${task.key}`,
    call: { method: 'POST', path: `/api/tasks/${task.id}/resolve-conflict` },
  };
}

function rebaseStep(task: Keyed): NextStep {
  return {
    id: 'rebase',
    label: 'Bring the branch up to date',
    command: `attractor tasks rebase ${task.key}`,
    call: { method: 'POST', path: `/api/tasks/${task.id}/rebase` },
  };
}

/** More are put aside without being named. */
const MOST_NAMED = 20;

/** A person's own changes are theirs: only they put them aside, in the folder where they made them. */
function putAsideStep(of: { readonly folder: string; readonly files: ReadonlyArray<string> }): NextStep {
  const named = of.files.length > MOST_NAMED ? '' : ` -- ${of.files.map(shellWord).join(' ')}`;
  return {
    id: 'put_aside',
    label: `Stash your changes in ${of.folder}, or commit them`,
    command: `git -C ${shellWord(of.folder)} stash push --include-untracked${named}`,
    call: null,
  };
}
