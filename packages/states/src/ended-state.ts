import { isCancelled } from '@attractor/facts';
import type { PipelineStatus } from '@attractor/store';
import { closeStep, reopenStep, revertStep } from './next-step.ts';
import type { StateFacts } from './state-facts.ts';
import { unkeptWords, state, type TaskState, unmergedWords } from './state-words.ts';
import { wayToMerge } from './way-to-merge.ts';

/** Of a task that is at an end of its pipeline: what became of its work. */
export function endedState({ task, merge, enteredAt, pipeline }: StateFacts, status: PipelineStatus): TaskState {
  const reopen = reopenStep(task, { id: 'reopen', label: 'Reopen' });
  const back = { to: pipeline.initialStatus, id: 'start_over', label: 'Start over' };
  if (merge.merged !== null) {
    const { commit, base, at, revertedBy, canRevert } = merge.merged;
    const detail = commit === null ? `Merged into ${base}.` : `${base} has it as ${commit.slice(0, 12)}.`;
    const again = reopenStep(task, { ...back, label: 'Reopen' });
    if (revertedBy !== null)
      return state('closed', {
        about: 'merged and taken back',
        detail: `${base} took it back by ${revertedBy.slice(0, 12)}.`,
        since: at ?? enteredAt,
        steps: [again],
      });
    const steps = canRevert ? [again, revertStep(task)] : [again];
    return state('merged', { detail, since: at ?? enteredAt, steps });
  }
  const { unkept } = merge;
  if (unkept !== null && !unkept.isGivenUp && !isCancelled(status.id))
    return state('queued', {
      about: 'its work to be kept',
      detail: unkeptWords(unkept),
      since: enteredAt,
      steps: [reopen],
    });
  if (isCancelled(status.id) || merge.branch === null) {
    const stays = merge.branch === null ? null : `Nothing was merged. Its branch stays as it is: ${merge.branch}.`;
    const detail = unkept === null ? stays : unkeptWords(unkept);
    return state('closed', { about: status.label, detail, since: enteredAt, steps: [reopen] });
  }
  if (merge.isMerging) return state('queued', { about: 'to be merged', since: enteredAt, steps: [reopen] });
  const detail = merge.problem?.message ?? unmergedWords(task, merge.branch, merge);
  const close = pipeline.terminalStatuses.some(isCancelled) ? [closeStep(task)] : [];
  const steps = [...wayToMerge(task, merge.problem?.obstacle ?? null), reopen, ...close];
  return state('accepted', { detail, since: enteredAt, needsPerson: true, steps });
}
