import type { Effect } from '@attractor/api';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Panel } from '../../ui/panel.tsx';
import { branchWords, effectWords, showControls } from '@attractor/api/shown';

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
        <li className="break-words">{branchWords(branch.value)}</li>
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

function EffectLine({ effect }: { readonly effect: Effect }) {
  return <li className={effect.state === 'failed' ? 'text-bad' : 'text-soft'}>{effectWords(effect)}</li>;
}
