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
  const status = await git(['status', '--porcelain=v2', '--branch'], options);
  if (!status.ok) return status;
  const lines = status.value.split('\n');
  const isDirty = lines.some((line) => !line.startsWith('# '));
  const before = COMMIT.exec(lines[0] ?? '')?.[1];
  if (!isDirty && before !== undefined) return done(before);
  if (autoCommit !== false && isDirty) {
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

const COMMIT = /^# branch\.oid ([0-9a-f]{40,64})$/;
