import { done } from '@attractor/base';
import type { Result } from '@attractor/store';
import { git } from '@attractor/repository';
import { resultOf, type RunContext } from '../run-context/run-context.ts';
import { letGoIfLost } from './still-ours.ts';

/** Commits what the agent left uncommitted, if configured. Returns the commit that is then checked out. */
export async function commitLeftovers(context: RunContext, message: string): Promise<Result<string>> {
  const { worktree } = resultOf(context, 'prepare');
  const { autoCommit } = resultOf(context, 'configure').config;
  const options = { cwd: worktree.path, author: context.services.author };
  const dirty = await git(['status', '--porcelain'], options);
  if (!dirty.ok) return dirty;
  if (autoCommit !== false && dirty.value !== '') {
    await letGoIfLost(context);
    const added = await git(['add', '--all'], options);
    if (!added.ok) return added;
    const text = `${message}\n\nAttractor-Run: ${context.state.run.id}`;
    const committed = await git(['commit', '--quiet', '--no-verify', '--message', text], options);
    if (!committed.ok) return committed;
  }
  const head = await git(['rev-parse', 'HEAD'], options);
  return head.ok ? done(head.value) : head;
}
