import {
  bringBack,
  fastForward,
  type FetchedBase,
  git,
  headOf,
  rebaseOnBase,
  type Repository,
  type SyncRequest,
  type Worktree,
} from '@attractor/repository';
import type { LayeredConfig } from '@attractor/project-config';
import { eventOf, type RunContext, type StepFailure } from '../run-context/run-context.ts';
import type { NewEvent } from '@attractor/store';

export type Sync = {
  readonly repository: Repository;
  readonly worktree: Worktree;
  readonly fetched: FetchedBase;
  readonly layered: LayeredConfig;
};

export type Synced = { readonly worktree: Worktree; readonly events: ReadonlyArray<NewEvent> };
type SyncOutcome = Synced | { readonly failure: StepFailure };

/** Brings the task's branch up to date: with what others pushed to it, then with its base if configured. Nothing is forced. */
export async function syncWorktree(context: RunContext, sync: Sync): Promise<SyncOutcome> {
  const { fetched, worktree, layered } = sync;
  const request = requestOf(context, sync);
  const events = fetchEvents(context, sync);
  let isMoved = false;
  if (fetched.branch !== null) {
    const moved = await fastForward(request, fetched.branch);
    if (!moved.ok) return environment(moved.error.message);
    isMoved = moved.value === 'moved';
    if (moved.value === 'diverged') events.push(divergedEvent(context, worktree.branch));
  }
  if (layered.config.rebaseOnStart === true && fetched.base !== null) {
    const rebased = await rebaseOnBase({ ...request, baseBranch: worktree.baseBranch }, fetched.base);
    if (!rebased.ok) return environment(rebased.error.message);
    isMoved ||= rebased.value.kind === 'rebased';
    if (rebased.value.kind === 'rebased') events.push(rebasedEvent(context, worktree));
    if (rebased.value.kind === 'conflict') {
      const { files } = rebased.value;
      const summary = `${worktree.branch} conflicts with ${worktree.baseBranch} in ${files.join(', ')}; the branch stays as it was`;
      if (layered.config.onConflict === 'fail')
        return environment(`${summary}. Resolve it by hand in ${worktree.path}, or set "onConflict" to "continue".`);
      events.push(
        eventOf(context, {
          type: 'git.conflict',
          level: 'warning',
          summary,
          data: { files, during: 'rebase' },
        }),
      );
    }
  }
  return { worktree: isMoved ? await lookAgain(worktree, fetched) : worktree, events };
}

/** Restores what an earlier run left uncommitted, if configured; it stays under its ref as well. */
export async function restoreLeftovers(context: RunContext, sync: Sync): Promise<ReadonlyArray<NewEvent>> {
  const { rescued } = sync.worktree;
  if (rescued === null || sync.layered.config.preserveUncommitted !== true) return [];
  const back = await bringBack(requestOf(context, sync), rescued);
  const data = { ref: rescued };
  if (back.ok && back.value.kind !== 'conflict') {
    const summary = 'Uncommitted work of an earlier run was restored in the worktree';
    return [eventOf(context, { type: 'worktree.leftovers_restored', summary, data })];
  }
  const files = back.ok && back.value.kind === 'conflict' ? back.value.files : [];
  const why = back.ok ? `it conflicts in ${files.join(', ')}` : back.error.message;
  const summary = `Uncommitted work of an earlier run could not be restored: ${why}. It is kept as ${rescued}.`;
  return [
    eventOf(context, {
      type: 'git.conflict',
      level: 'warning',
      summary,
      data: { ...data, files, during: 'restore' },
    }),
  ];
}

function requestOf({ services }: RunContext, { repository, worktree }: Sync): SyncRequest {
  return { repository, path: worktree.path, author: services.author };
}

async function lookAgain(worktree: Worktree, { base }: FetchedBase): Promise<Worktree> {
  const head = await headOf(worktree.path);
  if (!head.ok || head.value === worktree.head) return worktree;
  const forked = base === null ? head : await git(['merge-base', head.value, base], { cwd: worktree.path });
  return { ...worktree, head: head.value, baseCommit: forked.ok ? forked.value : worktree.baseCommit };
}

function fetchEvents(context: RunContext, { fetched, worktree }: Sync): NewEvent[] {
  const { baseBranch } = worktree;
  const events: NewEvent[] = [];
  const warn = (type: 'git.fetch_failed' | 'git.base_rewritten' | 'git.diverged', summary: string): void => {
    events.push(
      eventOf(context, {
        type,
        level: 'warning',
        summary,
        data: { baseBranch, remote: fetched.remote },
      }),
    );
  };
  if (fetched.problem !== null)
    warn(
      'git.fetch_failed',
      `${baseBranch} could not be fetched, so the work begins from the local state. ${fetched.problem}`,
    );
  if (fetched.isRewritten)
    warn(
      'git.base_rewritten',
      `The history of ${baseBranch} was rewritten since the task's last run: its branch is still based on the old one.`,
    );
  if (fetched.hasDiverged)
    warn(
      'git.diverged',
      `${baseBranch} has commits here that ${fetched.remote ?? 'its remote'} does not have, and the other way round: the work begins from the local state.`,
    );
  return events;
}

function divergedEvent(context: RunContext, branch: string): NewEvent {
  const summary = `${branch} has commits here and at its remote that the other side does not have: the work continues from the local state, and nothing is forced.`;
  return eventOf(context, { type: 'git.diverged', level: 'warning', summary, data: { branch } });
}

function rebasedEvent(context: RunContext, { branch, baseBranch }: Worktree): NewEvent {
  const summary = `${branch} was rebased on ${baseBranch}`;
  return eventOf(context, { type: 'git.rebased', summary, data: { branch, baseBranch } });
}

function environment(message: string): { readonly failure: StepFailure } {
  return { failure: { code: 'environment', message } };
}
