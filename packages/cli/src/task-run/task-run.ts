import { readFileSync } from 'node:fs';
import { defined, messageOf } from '@attractor/base';
import type { AgentRun, AgentRunMode, PlatformWorkflow } from '@attractor/platform';
import { composeWorker } from '@attractor/server';
import { CommandFailure, EXIT, unwrap, catchStop, putStyled } from '@attractor/console';
import { addedFolders, existingFolder } from '../existing-folder.ts';
import { ensureProject } from '../follow/carry-out.ts';
import { offerTrust } from '../follow/offer-trust.ts';
import { modelConfiguration } from '@attractor/headless';
import { chosenModel, type ModelFlags } from '../model-flags.ts';
import { repositoryRoot } from '../repository.ts';
import { requireModelForTasks, requireModelInNewHome } from '../require-model.ts';
import { type SandboxFlag, sandboxOptions } from '../sandbox-flag.ts';
import { homeFolder, readSettings } from '../settings.ts';
import { followRun } from './follow-run.ts';
import { resultLines } from './run-result.ts';

export type TaskRunFlags = ModelFlags &
  SandboxFlag & {
    readonly repo: string;
    readonly title: string;
    readonly descriptionFile?: string;
    readonly mode: AgentRunMode;
    readonly check: ReadonlyArray<string>;
    readonly addDir: ReadonlyArray<string>;
    readonly json?: boolean;
  };

const ACTOR = { type: 'user', name: 'script' } as const;

/** Runs the ten steps once. The worker of this process takes this run and no other, whatever else is queued in the home folder. */
export async function taskRun(flags: TaskRunFlags): Promise<number> {
  const home = homeFolder(process.env);
  const settings = readSettings(home);
  const description = flags.descriptionFile === undefined ? undefined : readText(flags.descriptionFile);
  const repository = await repositoryRoot(existingFolder('--repo', flags.repo));
  const llm = modelConfiguration({ env: process.env, settings, flags });
  await requireModelInNewHome({ llm, home, path: repository });
  const chosen = chosenModel(flags, settings);
  const sandbox = await sandboxOptions({ flags, attended: false });
  const own = new Set<string>();
  const platform = unwrap(
    await composeWorker({
      home,
      env: process.env,
      llm,
      ...chosen,
      ...sandbox,
      concurrency: 1,
      accepts: ({ id }) => own.has(id),
      onError: report,
    }),
  );
  const stop = catchStop();
  try {
    await requireModelForTasks(platform.workflow, { llm, home, path: repository });
    const project = await ensureProject(platform.workflow, repository);
    await offerTrust(platform.workflow, { project, actor: ACTOR, home, attended: false });
    const run = await start(platform.workflow, {
      task: { projectId: project.id, title: flags.title, ...defined({ description }) },
      mode: flags.mode,
      overrides: { ...chosen, checks: flags.check, ...addedFolders(flags) },
    });
    own.add(run.id);
    platform.worker.wake();
    const ended = await followRun(platform.workflow, { run, signal: stop.signal });
    await closeTask(platform.workflow, run.taskId);
    for (const line of await resultLines(platform.workflow, ended, flags)) putStyled(process.stdout, `${line}\n`);
    return stop.signal.aborted ? stop.exitCode() : exitOf(ended);
  } finally {
    stop.release();
    await platform.close();
  }
}

type Start = {
  readonly task: { readonly projectId: string; readonly title: string; readonly description?: string };
  readonly mode: AgentRunMode;
  readonly overrides: NonNullable<Parameters<PlatformWorkflow['startAgent']>[0]['overrides']>;
};

/** `simple` starts no agents: nothing follows the outcome. */
async function start(workflow: PlatformWorkflow, { task, mode, overrides }: Start): Promise<AgentRun> {
  const made = unwrap(await workflow.createTask({ ...task, pipelineId: 'simple' }, ACTOR));
  return unwrap(await workflow.startAgent({ taskId: made.id, mode, overrides }, ACTOR));
}

/** Once means once: the task is over with its run, and nothing of it waits for a person. Its branch stays. */
async function closeTask(workflow: PlatformWorkflow, taskId: string): Promise<void> {
  await workflow.transition({ taskId, to: 'cancelled', reason: 'It was run once, by attractor task run' }, ACTOR);
}

function exitOf({ run, failureCode }: Awaited<ReturnType<typeof followRun>>): number {
  if (run.status === 'completed') return EXIT.done;
  return failureCode === 'authentication' ? EXIT.unauthorised : EXIT.failed;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(`--description-file: can't read ${file} (${messageOf(error)})`, EXIT.notFound);
  }
}

function report(error: unknown): void {
  putStyled(process.stderr, `attractor: unexpected: ${messageOf(error)}\n`);
}
