import type { Project } from '@attractor/platform';
import type { ComposedServer } from '@attractor/server';
import type { Command } from 'commander';
import { addedFolders } from '../existing-folder.ts';
import { EXIT, catchCtrlC, putStyled, putText, createStyle } from '@attractor/console';
import type { Wanted } from '../follow/begin-task.ts';
import { judgeRunFlags, pipelineFor, type RunFlags } from '../follow/run-flags.ts';
import type { Outcome } from '../follow/summary.ts';
import { addModelFlags, chosenModel } from '../model-flags.ts';
import { addSandboxFlag, sandboxOptions } from '../sandbox-flag.ts';
import { homeFolder, readSettings } from '../settings.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  addSandboxFlag(addModelFlags(command.argument('[task]', 'what should be done, in a sentence')))
    .description(
      'Plans the task, asks you to approve the plan, carries it out on a branch of its own and checks the result.',
    )
    .option('--description <text>', 'more about the task')
    .option('--check <command>', "proves the result, such as 'npm test'; may be given more than once", collect, [])
    .option('--add-dir <folder>', 'a further folder that the agent may read and change; may be repeated', collect, [])
    .option('-y, --yes', 'approve the plan without asking; with --here also bring the work into the checkout')
    .option('--plan-only', 'end with the plan, which then waits for you')
    .option('--no-plan', 'begin with the work')
    .option('--tdd', 'tests first: write them, see them fail, ask you, implement, see them pass, ask you again')
    .option('--stages', 'ask you between the stages: new files, changed files, git')
    .option(
      '--detach',
      'return at once and say where to look; a server does the work, and is started if none is running',
    )
    .option('--here', 'bring the finished work into this checkout, which has to be clean')
    .option('--resume <key>', 'continue a task that was stopped, failed or waits for you')
    .option('--json', 'one event a line, then one line with the result; nobody is asked')
    .addHelpText('after', EXAMPLES)
    .action(async (task: string | undefined, flags: RunFlags) => finish(await run(task, flags)));
}

const EXAMPLES = `
Ctrl-C asks what to tell the agent, and continues with that; a second Ctrl-C stops the task's run, keeps its work, and says how to
continue. Other tasks that are queued are left to \`attractor serve\`.
Your checkout is never touched, except at the end with --here: the work happens in a worktree under .agent-worktrees/ and ends on a branch.
Edits in the worktree and commands that only read run without asking; everything else needs your approval, and is denied
without a terminal. A plan needs --yes there. Commands and checks run in a sandbox; if there is none, a run without a terminal starts only
with --allow-unsandboxed. Checks and settings of the repository count once you trust them (attractor trust).
At a terminal the finished work is shown at the end, and you decide there: approve, merge, ask for changes, roll back, or decide later.
Exit code 0: ready for review (with --plan-only: planned). 1: failed. 4: it waits for you, or was refused. 130: stopped.

Examples:
  attractor run "accept ISO weeks in the date parser" --check "npm test"
  attractor run "fix the flaky test" --provider openai --model gpt-5.2 --yes
  attractor run "rename the flag" --no-plan --here
  attractor run "use the types of the shared library" --add-dir ../shared
  attractor run "add JWT authentication" --plan-only
  attractor run --resume ATT-12
  attractor run "update the dependencies" --detach
  attractor run "sort the imports" --yes --json | tail -1`;

function collect(value: string, before: ReadonlyArray<string>): ReadonlyArray<string> {
  return [...before, value];
}

type Place = { readonly home: string; readonly attended: boolean; readonly chosen: ReturnType<typeof chosenModel> };

async function run(title: string | undefined, flags: RunFlags): Promise<number> {
  const attended = flags.json !== true && process.stdin.isTTY && process.stdout.isTTY;
  judgeRunFlags(title, flags, attended);
  const home = homeFolder(process.env);
  const settings = readSettings(home);
  const place: Place = { home, attended, chosen: chosenModel(flags, settings) };
  const [{ modelConfiguration }, { requireModelForTasks, requireModelInNewHome }, { openServer }, { runningServer }] =
    await Promise.all([
      import('@attractor/headless'),
      import('../require-model.ts'),
      import('../working-server.ts'),
      import('../connect.ts'),
    ]);
  const llm = modelConfiguration({ env: process.env, settings, flags });
  const elsewhere = flags.detach === true ? await runningServer(home) : null;
  // A server that runs has keys of its own.
  if (elsewhere === null) await requireModelInNewHome({ llm, home, path: process.cwd() });
  const wanted = wantedBy(title, flags, place);
  const own = { taskId: '' };
  // What others have queued here is not ours to work on, least of all with the flags of this command.
  const accepts = ({ taskId }: { readonly taskId: string }): boolean => taskId === own.taskId;
  // What would refuse to work in the background is told before anything is queued.
  const sandbox =
    elsewhere === null ? await sandboxOptions({ flags, attended: attended && flags.detach !== true }) : {};
  const work = flags.detach === true ? { concurrency: 0 } : { accepts, ...sandbox };
  const server = await openServer({ home, env: process.env, llm, ...place.chosen, ...work });
  try {
    const path = await repositoryHere();
    if (elsewhere === null) await requireModelForTasks(server.workflow, { llm, home, path });
    const project = await projectHere(server, path, place);
    if (flags.detach === true)
      return await detach(server, { wanted, project, flags, home, url: elsewhere?.url ?? null });
    return await workHere(server, { wanted, project, flags, attended, own });
  } finally {
    await server.close();
  }
}

function wantedBy(title: string | undefined, flags: RunFlags, { chosen }: Place): Wanted {
  if (flags.resume !== undefined) return { kind: 'resume', key: flags.resume, overrides: chosen };
  const { description } = flags;
  return {
    kind: 'new',
    task: {
      title: title ?? '',
      ...(description !== undefined && { description }),
      overrides: { ...chosen, checks: flags.check, ...addedFolders(flags) },
    },
    pipelineId: pipelineFor(flags),
    straight: !flags.plan,
  };
}

async function repositoryHere(): Promise<string> {
  const { repositoryRoot } = await import('../repository.ts');
  return repositoryRoot(process.cwd());
}

async function projectHere({ workflow }: ComposedServer, path: string, { home, attended }: Place): Promise<Project> {
  const [{ ensureProject }, { offerTrust }, { ACTOR }] = await Promise.all([
    import('../follow/carry-out.ts'),
    import('../follow/offer-trust.ts'),
    import('../follow/begin-task.ts'),
  ]);
  const project = await ensureProject(workflow, path);
  await offerTrust(workflow, { project, actor: ACTOR, home, attended });
  return project;
}

type Detaching = {
  readonly wanted: Wanted;
  readonly project: Project;
  readonly flags: RunFlags;
  readonly home: string;
  readonly url: string | null;
};

async function detach({ workflow }: ComposedServer, detaching: Detaching): Promise<number> {
  const { wanted, project, flags, home, url } = detaching;
  const { startDetached, detachedLines, whoWorks } = await import('../follow/detach.ts');
  if (wanted.kind !== 'new') return EXIT.usage;
  const task = await startDetached(workflow, { wanted, projectId: project.id });
  const style = createStyle(process.stdout, process.env);
  const { line, exitCode } = await whoWorks({ key: task.key, url, home, flags });
  putStyled(process.stdout, `${detachedLines(task, line, style).join('\n')}\n`);
  return exitCode;
}

type Here = {
  readonly wanted: Wanted;
  readonly project: Project;
  readonly flags: RunFlags;
  readonly attended: boolean;
  readonly own: { taskId: string };
};

async function workHere(server: ComposedServer, { wanted, project, flags, attended, own }: Here): Promise<number> {
  const [{ carryOut }, { exitOf, isPlanned }, { requireCleanCheckout }] = await Promise.all([
    import('../follow/carry-out.ts'),
    import('../follow/summary.ts'),
    import('../follow/bring-here.ts'),
  ]);
  const base = flags.here === true ? await requireCleanCheckout(project) : null;
  const ctrlC = catchCtrlC({ steers: attended });
  const show = flags.json === true ? { show: (event: object) => putJson(event) } : {};
  const outcome = await carryOut(server, {
    wanted,
    project,
    attended,
    ctrlC,
    approvePlan: flags.yes === true,
    planOnly: flags.planOnly === true,
    // With --yes nobody needs to stay; --here asks its own question.
    asksLast: attended && flags.yes !== true && flags.here !== true,
    isAsked: flags.here === true,
    onTask: (taskId) => {
      own.taskId = taskId;
    },
    ...show,
  });
  const isWanted = flags.planOnly === true && isPlanned(outcome);
  const ended = isWanted ? EXIT.done : exitOf(outcome);
  const brought = base === null || ended !== EXIT.done ? ended : await bring(server, { outcome, base, flags });
  const exitCode = ctrlC.signal.aborted ? ctrlC.exitCode() : brought;
  if (flags.json === true) putJson(await resultOf(server, outcome, exitCode));
  ctrlC.release();
  return exitCode;
}

type Bringing = { readonly outcome: Outcome; readonly base: string; readonly flags: RunFlags };

/** Into the checkout, if the person wants it now that they have seen it. */
async function bring({ workflow }: ComposedServer, { outcome, base, flags }: Bringing): Promise<number> {
  const review = outcome.prompts.find(({ type }) => type === 'review');
  if (review === undefined) return EXIT.done;
  const { confirm } = await import('@attractor/console');
  const isWanted = flags.yes === true || (await confirm(`Bring this into ${base}, which is checked out here?`));
  const { bringHere } = await import('../follow/bring-here.ts');
  const { contentHash } = review;
  const { ok, line } = isWanted
    ? await bringHere(workflow, { taskId: outcome.task.id, base, contentHash })
    : { ok: true, line: 'The work waits on its branch.' };
  putText(flags.json === true ? process.stderr : process.stdout, `${line}\n`);
  if (ok && isWanted) return EXIT.done;
  const { nextLines } = await import('../follow/summary.ts');
  const attended = process.stdout.isTTY;
  const next = nextLines(outcome, { style: createStyle(process.stdout, process.env), attended });
  if (flags.json !== true) putStyled(process.stdout, `${next.join('\n')}\n`);
  return ok ? EXIT.done : EXIT.refused;
}

/** The last line of `--json`: no event has this type. */
async function resultOf({ workflow }: ComposedServer, { task, runs, state }: Outcome, exitCode: number) {
  const branch = runs.findLast((one) => one.branch !== null)?.branch ?? null;
  const session = await workflow.codingSession(task.id);
  return {
    type: 'result',
    exit_code: exitCode,
    key: task.key,
    status: task.status,
    branch,
    session,
    next: state.steps,
  };
}

function putJson(value: object): void {
  putText(process.stdout, `${JSON.stringify(value)}\n`);
}
