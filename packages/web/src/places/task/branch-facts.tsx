import type { BranchState, Effect } from '@attractor/api';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Panel } from '../../ui/panel.tsx';
import { showControls } from '@attractor/api/shown';

/** How the branch stands to its base, and what left this machine for it. Nothing for a task without a branch. */
export function BranchFacts({ taskId }: { readonly taskId: string }) {
  useAfterLog(['branch', taskId]);
  const branch = useAnswer(['branch', taskId, 'state'], () => api.branches.state(taskId));
  const effects = useAnswer(['branch', taskId, 'effects'], () => api.branches.effects(taskId));
  if (branch.state !== 'ready') return null;
  const { baseBranch, conflicts } = branch.value;
  return (
    <Panel title="Branch">
      <ul className="flex flex-col gap-1 text-sm">
        <li className="break-words">{standing(branch.value)}</li>
        {conflicts.length === 0 ? null : (
          <li className="break-words text-bad">
            conflicts with {showControls(baseBranch)} in {showControls(conflicts.join(', '))}
          </li>
        )}
        {effects.state === 'ready'
          ? effects.value.map((effect) => <EffectLine key={effect.id} effect={effect} />)
          : null}
      </ul>
    </Panel>
  );
}

function standing({ ahead, behind, baseBranch, remote, remoteCommit, headCommit }: BranchState): string {
  const commits = `${ahead} ${ahead === 1 ? 'commit' : 'commits'} ahead of ${showControls(baseBranch)}`;
  const late = behind === 0 ? '' : `, ${behind} behind it`;
  if (remote === null) return `${commits}${late}`;
  return `${commits}${late}; ${PUSHED[remoteCommit === null ? 'no' : remoteCommit === headCommit ? 'all' : 'part']}`;
}

const PUSHED = { no: 'not pushed', all: 'pushed', part: 'pushed in part' } as const;

const EFFECTS: Readonly<Record<NonNullable<Effect['work']>['kind'], string>> = {
  push: 'Push',
  create_pr: 'Pull request',
  merge_pr: 'Merge',
  revert_merge: 'Taking the merge back',
  roll_back: 'Undoing work',
  keep_work: 'Keeping what a run left',
  comment_pr: 'Comment on the pull request',
  create_branch: 'Branch',
  create_worktree: 'Worktree',
};

function EffectLine({ effect }: { readonly effect: Effect }) {
  return (
    <li className={effect.state === 'failed' ? 'text-bad' : 'text-soft'}>
      {effect.work === null ? 'Unknown' : EFFECTS[effect.work.kind]}: {effect.state}
      {effect.error === null ? '' : `, ${showControls(effect.error)}`}
    </li>
  );
}
