import type { Command } from 'commander';
import { addModelFlags, chosenModel, type ModelFlags } from '../model-flags.ts';
import { addSandboxFlag, type SandboxFlag, sandboxOptions } from '../sandbox-flag.ts';
import { homeFolder, readSettings } from '../settings.ts';
import { catchStop } from '../terminal/stop-signal.ts';

type RunFlags = ModelFlags &
  SandboxFlag & {
    readonly yes?: boolean;
    readonly check: ReadonlyArray<string>;
    readonly description?: string;
  };

export function define(command: Command, finish: (exitCode: number) => void): void {
  addSandboxFlag(addModelFlags(command.argument('<task>', 'what should be done, in a sentence')))
    .description(
      'Plans the task, asks you to approve the plan, carries it out on a branch of its own and checks the result.',
    )
    .option('--description <text>', 'more about the task')
    .option('--check <command>', "proves the result, such as 'npm test'; may be given more than once", collect, [])
    .option('-y, --yes', 'approve the plan without asking')
    .addHelpText('after', EXAMPLES)
    .action(async (task: string, flags: RunFlags) => finish(await run(task, flags)));
}

const EXAMPLES = `
Ctrl-C stops the task's run, keeps what was done, and says how to go on. Other tasks that are queued are left to \`attractor serve\`.
Your checkout is never touched: the work happens in a worktree under .agent-worktrees/ and ends on a branch.
Edits in the worktree and commands that only read run by themselves; all else asks you first, and without a terminal it is
denied. A plan needs --yes there. Commands and checks run in a sandbox; where there is none, a run without a terminal starts only
with --allow-unsandboxed. Checks and settings of the repository count once you trusted them (attractor trust).

Examples:
  attractor run "accept ISO weeks in the date parser" --check "npm test"
  attractor run "fix the flaky test" --provider openai --model gpt-5.2 --yes`;

function collect(value: string, before: ReadonlyArray<string>): ReadonlyArray<string> {
  return [...before, value];
}

async function run(title: string, flags: RunFlags): Promise<number> {
  const home = homeFolder(process.env);
  const settings = readSettings(home);
  const [{ modelConfiguration }, { requireModel }, { repositoryRoot }, { openServer }, { carryOut }, { exitOf }] =
    await Promise.all([
      import('../model-configuration.ts'),
      import('../require-model.ts'),
      import('../repository.ts'),
      import('../working-server.ts'),
      import('../follow/carry-out.ts'),
      import('../follow/summary.ts'),
    ]);
  const llm = modelConfiguration({ env: process.env, settings, flags });
  requireModel(llm, home);
  const repository = await repositoryRoot(process.cwd());
  const chosen = chosenModel(flags, settings);
  const attended = process.stdin.isTTY && process.stdout.isTTY;
  const sandbox = await sandboxOptions({ flags, attended });
  const own = { taskId: '' };
  // What others have queued here is not ours to work on, least of all with the flags of this command.
  const accepts = ({ taskId }: { readonly taskId: string }): boolean => taskId === own.taskId;
  const server = await openServer({ home, env: process.env, llm, ...chosen, ...sandbox, accepts });
  const stop = catchStop();
  try {
    const task = {
      title,
      ...(flags.description !== undefined && { description: flags.description }),
      overrides: { ...chosen, checks: flags.check },
    };
    const outcome = await carryOut(server, {
      repository,
      home,
      task,
      attended,
      approvePlan: flags.yes === true,
      signal: stop.signal,
      onTask: (taskId) => {
        own.taskId = taskId;
      },
    });
    return stop.signal.aborted ? stop.exitCode() : exitOf(outcome);
  } finally {
    await server.close();
  }
}
