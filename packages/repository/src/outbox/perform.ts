import { defined } from '@attractor/base';
import { openProjectGit } from '../scm/open-scm.ts';
import {
  type Effect,
  type EffectWork,
  findProject,
  findTask,
  findWorkplace,
  parseJson,
  type Reader,
} from '@attractor/store';
import { performCreateBranch, performCreateWorktree } from './branch-effects.ts';
import { type EffectContext, failed, type Performed } from './performed.ts';
import { performKeep } from './keep-effect.ts';
import { performMerge } from './merge-effect.ts';
import { performRollBack } from './roll-back-effect.ts';
import { performRevert } from './revert-effect.ts';
import type { OutboxServices } from './outbox-services.ts';
import { performComment, performCreatePr } from './pull-request-effects.ts';
import { performPush } from './push-effect.ts';
import { fail } from '../git/outside-result.ts';

/** Claims that never ended: whatever the effect runs into kills every worker. */
const MAX_CLAIMS = 10;

/** Carries out one effect. Never rejects for an expected reason. */
export async function performEffect(services: OutboxServices, effect: Effect): Promise<Performed> {
  const { read } = services.store;
  const project = await findProject(read, effect.projectId);
  const task = await findTask(read, effect.taskId);
  if (project === null || task === null || effect.work === null)
    return failed(fail('not_found', 'What it was for no longer exists.'));
  if (effect.attempts > MAX_CLAIMS)
    return failed(fail('unavailable', `Given up after ${MAX_CLAIMS} attempts that did not end.`));
  const git = await openProjectGit(services, project);
  const performed: Performed = git.ok
    ? await perform(
        { services, project, task, effect, git: git.value, prove: unproven, cleaning: AS_IT_IS, ...chosen(services) },
        effect.work,
      )
    : { outcome: 'elsewhere', reason: git.error.message };
  if (performed.outcome !== 'elsewhere') return performed;
  const had = effect.runId === null ? null : await workplaceOf(read, effect.runId);
  return had === null ? performed : { ...performed, had };
}

const unproven: EffectContext['prove'] = async () => ({ ok: true, value: null });
const AS_IT_IS: EffectContext['cleaning'] = { putBack: async () => undefined, redact: (text) => text };

function chosen({ prove, cleaning }: OutboxServices): Partial<Pick<EffectContext, 'prove' | 'cleaning'>> {
  return defined({ prove, cleaning });
}

/** Null if nobody ever worked on the run. */
async function workplaceOf(db: Reader, runId: string): Promise<string | null> {
  const { machine, home } = parseJson<{ readonly machine?: string; readonly home?: string }>(
    await findWorkplace(db, runId),
    {},
  );
  return home === undefined ? null : `the machine ${machine ?? 'without a name'} with the home folder ${home}`;
}

function perform(context: EffectContext, work: EffectWork): Promise<Performed> {
  switch (work.kind) {
    case 'push':
      return performPush(context, work);
    case 'create_pr':
      return performCreatePr(context, work);
    case 'merge_pr':
      return performMerge(context, work);
    case 'revert_merge':
      return performRevert(context, work);
    case 'roll_back':
      return performRollBack(context, work);
    case 'comment_pr':
      return performComment(context, work);
    case 'create_branch':
      return performCreateBranch(context, work);
    case 'create_worktree':
      return performCreateWorktree(context, work);
    case 'keep_work':
      return performKeep(context);
  }
}
