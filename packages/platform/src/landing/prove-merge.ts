import { join } from 'node:path';
import { done, type Result } from '@attractor/base';
import { type Check, followedConfig, isKnownFailure, type ProjectConfig } from '@attractor/project-config';
import {
  completeLargeFiles,
  git,
  includeFiles,
  inScratchWorktree,
  type MadeMerge,
  type ProveMerge,
} from '@attractor/repository';
import { appendEvents, type CheckResult, listRuns, refuse, type Refusal, type Store } from '@attractor/store';
import { runChecks, type Confine, confined, type ReadRunSetup, readSetupOnce } from '@attractor/run';

export type ProofServices = {
  readonly store: Store;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: ReadonlyArray<string>;
  readonly confine: Confine;
  readonly readSetup?: ReadRunSetup;
  /** Aborted when the process shuts down: the next one proves it again. */
  readonly signal: AbortSignal;
};

/**
 * The project's own checks on the result of a merge, in a worktree of its own, before the base has it. What was proven for exactly these
 * files is not proven again. Unless it is strict, a check that failed in the same way on the reviewed work, or on this base, was accepted
 * with it; where work is taken back, so is one that failed before it, strict or not: that is where somebody wants to go back to.
 */
export function createProof(services: ProofServices): ProveMerge {
  return async (made) => {
    const proven = await prove(services, made).catch((error: unknown): Proof<never> => {
      if (!services.signal.aborted) throw error;
      return refuse('unavailable', 'The checks of the merge were interrupted: they run again.');
    });
    if (proven.ok) return proven;
    const { isElsewhere = false, ...error } = proven.error;
    return { ok: false, error: { ...error, isElsewhere, retryable: isElsewhere || services.signal.aborted } };
  };
}

/** `isElsewhere`: the checks can't be run by this process, which says nothing about the work. */
type Proof<Value> = Result<Value, Refusal & { readonly isElsewhere?: boolean }>;

async function prove(services: ProofServices, made: MadeMerge): Promise<Proof<null>> {
  const config = followedConfig(made.project.path, services);
  if (!config.ok) return config;
  const { trust } = config.value;
  const checks = trust === 'trusted' ? config.value.checks.filter(({ modes }) => modes.includes('implement')) : [];
  if (checks.length === 0) return done(null);
  const before = await resultsOf(services, made);
  const ofWork = before.filter(({ phase }) => phase === 'branch' || isTakenBack(made));
  if ((await isSameTree(made)) && checks.every((one) => ofWork.some((result) => provesIt(result, one))))
    return done(null);
  const { repository } = made.git;
  const place = { repository, name: `${made.task.id}-merge`, commit: made.commit };
  return inScratchWorktree(place, async (folder) => {
    const results = await check(services, made, { folder, checks, config: config.value });
    return results.ok ? judge(results.value, { before, checks, config: config.value, made }) : results;
  });
}

/** What the checks said about the work as it was reviewed, or about what was there before it. */
async function resultsOf({ store }: ProofServices, made: MadeMerge): Promise<ReadonlyArray<CheckResult>> {
  const { task, headCommit, base } = made;
  const runs = await listRuns(store.read, { taskId: task.id });
  return runs.flatMap(({ checks }) =>
    checks.filter(({ commit, phase }) =>
      phase === 'base' ? isTakenBack(made) || commit === base : !isTakenBack(made) && commit === headCommit,
    ),
  );
}

function isTakenBack({ effect }: MadeMerge): boolean {
  return effect.work?.kind === 'revert_merge' || effect.work?.kind === 'roll_back';
}

function provesIt({ name, command, passed }: CheckResult, check: Check): boolean {
  return passed && name === check.name && command === check.command;
}

async function isSameTree({ git: { repository }, commit, headCommit }: MadeMerge): Promise<boolean> {
  const trees = await git(['rev-parse', `${commit}^{tree}`, `${headCommit}^{tree}`], { cwd: repository.root });
  const [one, other] = trees.ok ? trees.value.split('\n') : [];
  return one !== undefined && one === other;
}

type Place = {
  readonly folder: string;
  readonly checks: ReadonlyArray<Check>;
  readonly config: ProjectConfig;
};

async function check(
  services: ProofServices,
  made: MadeMerge,
  { folder, checks, config }: Place,
): Promise<Proof<ReadonlyArray<CheckResult>>> {
  const { repository, talk } = made.git;
  const large = await completeLargeFiles({ repository, worktree: folder, talk: async () => talk });
  if (!large.ok) return notHere(large.error.message);
  if (config.worktreeInclude !== null) {
    const included = await includeFiles(repository, { worktree: folder, patterns: config.worktreeInclude });
    if (!included.ok) return included;
  }
  const readSetup = readSetupOnce(services.readSetup, { project: made.project });
  return confined({ services, project: made.project, readSetup }, folder, async (allowed) => {
    if ('refused' in allowed) return notHere(allowed.refused);
    const results = await runChecks([...setupOf(config), ...checks], {
      folder,
      phase: 'branch',
      env: services.env,
      secrets: services.secrets,
      allowed,
      signal: services.signal,
      outputFolder: join(services.home, 'checks', made.effect.id),
      onResult: (result) => report(services, made, result),
    });
    return done(results);
  });
}

function notHere(why: string): Proof<never> {
  const message = `The checks of the merge were not run: ${why}`;
  return { ok: false, error: { code: 'unavailable', message, isElsewhere: true } };
}

/** A fresh worktree is set up as one for an agent is; a set-up that fails is said like a check. */
function setupOf({ setup }: ProjectConfig): ReadonlyArray<Check> {
  return (setup?.commands ?? []).map((command) => ({
    name: `set-up: ${command}`,
    command,
    severity: 'error',
    modes: ['implement'],
    timeoutMs: setup?.timeoutMs ?? null,
    strict: true,
  }));
}

type Judged = {
  readonly before: ReadonlyArray<CheckResult>;
  readonly checks: ReadonlyArray<Check>;
  readonly config: ProjectConfig;
  readonly made: MadeMerge;
};

function judge(results: ReadonlyArray<CheckResult>, { before, checks, config, made }: Judged): Proof<null> {
  const strict = new Set(isTakenBack(made) ? [] : checks.filter((one) => one.strict).map(({ name }) => name));
  const isAccepted = (result: CheckResult): boolean =>
    !strict.has(result.name) && before.some((one) => one.name === result.name && isKnownFailure(result, one));
  const failed = results.filter(
    (result) =>
      !result.passed &&
      !isAccepted(result) &&
      (result.severity === 'error' ? config.failOnError : config.failOnWarning),
  );
  if (failed.length === 0) return done(null);
  const names = failed.map(({ name }) => name);
  const said = failed[0]?.output.trim().split('\n').slice(-SHOWN_LINES).join('\n') ?? '';
  const remedy = isTakenBack(made)
    ? 'Other work needs what would be taken back: let an agent take it back in a task of its own.'
    : `Bring the branch up to date ("attractor tasks rebase ${made.task.key}") and let an agent repair it.`;
  return refuse(
    'blocked',
    `The base is not moved: ${names.map((name) => `"${name}"`).join(', ')} ${names.length === 1 ? 'fails' : 'fail'} on the result of the merge. ${remedy}${said === '' ? '' : `\n${said}`}`,
    { checks: names, commit: made.commit },
  );
}

const SHOWN_LINES = 10;

async function report({ store }: ProofServices, { task, effect }: MadeMerge, result: CheckResult): Promise<void> {
  const summary = `Check ${result.name} ${result.passed ? 'passed' : 'failed'} on the result of the merge`;
  const { projectId } = task;
  await store.transact((tx) =>
    appendEvents(tx, [
      { projectId, taskId: task.id, type: 'run.check_finished', summary, data: { check: result }, actor: effect.actor },
    ]),
  );
}
