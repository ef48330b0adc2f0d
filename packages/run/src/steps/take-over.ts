import { existsSync } from 'node:fs';
import { ownIdentity } from '@attractor/system';
import {
  type CarriedWork,
  completeLargeFiles,
  fetchCarried,
  findRemote,
  newestCarried,
  openRepository,
  personRemoteOptions,
  type Repository,
  restoreBranch,
  restoreState,
  restoreUncommitted,
} from '@attractor/repository';
import { appendEvents, replaceStep, setWorkplace, type Tx, updateRun } from '@attractor/store';
import { prepare, remoteOptionsOf } from './01-prepare.ts';
import { agentFolder, fillFolder } from './agent-folder.ts';
import type { OpenRun } from './open-run.ts';
import { leaveIfNothingIsWritten } from './walk-step.ts';
import { eventOf, type RunContext, type StepFailure, type StepResults } from '../run-context/run-context.ts';

/** Where a run is worked on: its worktree is on that machine, its agent's own folder in that home. */
type Workplace = { readonly machine: string; readonly home: string };

/**
 * Makes sure that everything the saved steps refer to is on this machine. A run from another machine is restored from the refs that its
 * carrier left; if that is impossible the run fails and its work stays where it is.
 */
export async function bringWorkHere({ context, workplace }: OpenRun): Promise<void> {
  const { services, state } = context;
  const remembers = await fillFolder(context);
  const here: Workplace = { machine: ownIdentity().machine ?? '', home: services.home };
  const before = readWorkplace(workplace);
  const saved = state.results.prepare;
  // While it is still worked in, a worktree that is gone, perhaps with its clone, is restored like that of another machine.
  const isMissing = saved !== undefined && state.results.artifacts === undefined && !existsSync(saved.worktree.path);
  if (before !== null && before.machine === here.machine && before.home === here.home && !isMissing) return;
  const restored =
    saved === undefined || before === null
      ? null
      : await restore(context, saved, { isSameMachine: before.machine === here.machine, remembers });
  if (restored !== null && 'code' in restored) {
    await leaveIfNothingIsWritten(context, 'prepare', restored);
    state.failure ??= restored;
    return;
  }
  const note = (tx: Tx): Promise<void> => setWorkplace(tx, state.run.id, JSON.stringify(here));
  if (restored === null) return context.transact(note, 'silent');
  const run = { ...state.run, worktree: restored.worktree.path };
  await context.transact(async (tx) => {
    await note(tx);
    await replaceStep(tx, run.id, { step: 'prepare', ok: true, result: restored });
    await updateRun(tx, run);
    const summary = `The run continues here, in ${restored.worktree.path}, with the work found in git`;
    await appendEvents(tx, [
      eventOf(context, { type: 'work.taken_over', summary, data: { run, from: before, to: here } }),
    ]);
  });
  state.run = run;
  state.results = { ...state.results, prepare: restored };
}

function readWorkplace(text: string | null): Workplace | null {
  if (text === null) return null;
  const place: Workplace = JSON.parse(text);
  return place;
}

type Prepared = StepResults['prepare'];

type Known = { readonly isSameMachine: boolean; readonly remembers: boolean };

async function restore(
  context: RunContext,
  saved: Prepared,
  { isSameMachine, remembers }: Known,
): Promise<Prepared | StepFailure> {
  const isHere = isSameMachine && existsSync(saved.worktree.path);
  if (isHere && remembers) return saved;
  const repository = await openRepository(
    isHere ? saved.repository.root : context.project.path,
    context.project.config,
  );
  if (!repository.ok) return lost(repository.error.message);
  const carried = await findCarried(context, repository.value);
  // Without a remote nothing is carried: what the agent remembered would be in the database, and the work is here.
  if (typeof carried === 'string')
    return isHere && (await findRemote(repository.value)) === null ? saved : lost(carried);
  const { run } = context.state;
  if (!remembers) {
    const state = await restoreState(repository.value, { carried, statePath: agentFolder(context) });
    if (!state.ok) return lost(state.error.message);
  }
  if (isHere) return saved;
  const branch = await restoreBranch(repository.value, { branch: saved.worktree.branch, carried, taskId: run.taskId });
  if (!branch.ok) return lost(branch.error.message);
  const made = await prepare(context);
  if (made.result === undefined) return made.failure;
  const uncommitted = await restoreUncommitted(made.result.worktree.path, carried);
  if (!uncommitted.ok) return lost(uncommitted.error.message);
  const { path } = made.result.worktree;
  const talk = () => remoteOptionsOf(context, repository.value);
  const large = await completeLargeFiles({ repository: repository.value, worktree: path, talk, of: carried.work });
  if (!large.ok) return lost(large.error.message);
  context.state.isMoved = true;
  return { ...saved, repository: made.result.repository, worktree: { ...saved.worktree, path } };
}

async function findCarried(context: RunContext, repository: Repository): Promise<CarriedWork | string> {
  const runId = context.state.run.id;
  const fetched = await fetchCarried({
    repository,
    runId,
    talk: await personRemoteOptions(context.services.hostEnv, repository.root),
  });
  const carried = await newestCarried(repository, runId);
  if (carried !== null) return carried;
  return fetched.ok ? 'nothing of it was pushed to the remote' : fetched.error.message;
}

function lost(why: string): StepFailure {
  return {
    code: 'environment',
    message: `The run was worked on at another machine, and its work can't be fetched here: ${why}`,
  };
}
