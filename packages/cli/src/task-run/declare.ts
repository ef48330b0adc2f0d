import { RUN_MODES } from '@attractor/facts';
import { type Command, Option } from 'commander';
import { addModelFlags } from '../model-flags.ts';
import { quiet } from '../program.ts';
import { addSandboxFlag } from '../sandbox-flag.ts';
import type { TaskRunFlags } from './task-run.ts';

/** `tasks run`: for scripts. It has the flags of a command that uses a model, and needs neither a project nor a server. */
export function declareTaskRun(tasks: Command, finish: (exitCode: number) => void): void {
  const command = quiet(tasks.command('run'))
    .summary('run an agent on a new task once, in this process')
    .description('Makes a task, walks the ten steps of one run on it in this process, and reports the result.')
    .requiredOption('--repo <dir>', 'a folder of the repository')
    .requiredOption('--title <text>', 'what should be done, in a sentence')
    .option('--description-file <file>', 'more about it')
    .addOption(new Option('--mode <mode>', 'what the agent should do').choices(RUN_MODES).makeOptionMandatory())
    .option('--check <command>', "proves the result, such as 'npm test'; may be given more than once", collect, [])
    .option('--add-dir <folder>', 'a further folder that the agent may read and change; may be repeated', collect, [])
    .option('--json', 'one JSON object as the last line, for scripts');
  addSandboxFlag(addModelFlags(command))
    .addHelpText('after', EXAMPLES)
    .action(async (flags: TaskRunFlags) => finish(await (await import('./task-run.ts')).taskRun(flags)));
}

function collect(value: string, before: ReadonlyArray<string>): ReadonlyArray<string> {
  return [...before, value];
}

const EXAMPLES = `
Nobody is asked: what needs approval is denied. The checkout is never touched; the work is on a branch and in a worktree of its own.
With --json the last line is {"runId","status","outcome","branch","worktree","commits","tokenUsage","checks"}, and "payload" or "error" if there is one.
Exit code 0 if the run is completed, else 1; 2 wrong usage, 3 no such folder, 4 refused, 6 no valid key.

Examples:
  attractor task run --repo . --title "Make the tests pass" --mode implement --check "npm test" --json
  attractor task run --repo ~/src/slugs --title "Plan ISO weeks" --description-file task.md --mode plan --model claude-sonnet-4-5`;
