import { type Command, Option } from 'commander';
import { CommandFailure, EXIT } from '@attractor/console';
import type { ExecFlags } from '../exec/exec-flags.ts';
import { runExec } from '../exec/run-exec.ts';
import { OUTPUT_FORMATS } from '@attractor/headless';
import { addModelFlags } from '../model-flags.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  addModelFlags(command)
    .description('Runs an agent that a markdown file describes, in a workspace. Its final text goes to stdout.')
    .argument('<agent_spec>', 'the markdown file, or the name of one in agents, .claude/agents or ~/.attractor/agents')
    .argument('<workspace_root>', 'the folder that its tools may read and change')
    .argument('[session_id]', 'continue this session')
    .option('--continue', 'continue the session that the workspace remembers (.session)')
    .addOption(
      new Option('--tools <door>', 'how tools are run: in this process, or by the file-tools program')
        .choices(['in-process', 'binary'])
        .default('in-process'),
    )
    .addOption(
      new Option('--output-format <format>', 'what stdout carries (default: text)').choices([...OUTPUT_FORMATS]),
    )
    .option('--json', 'the same as --output-format stream-json')
    .option('--max-turns <n>', 'stop after this many replies', wholeNumber)
    .option('--claude-sdk <folder>', 'where the Claude Agent SDK is installed')
    .option('--allow-unsandboxed', 'start on a machine without a sandbox')
    .addHelpText('after', EXAMPLES)
    .action(async (spec: string, workspace: string, sessionId: string | undefined, flags: ExecFlags) =>
      finish(await runExec({ spec, workspace, sessionId, flags })),
    );
}

const EXAMPLES = `
Parameters are one JSON object on stdin, or nothing. --provider takes claude-code, any provider of a model, or the path of a
module that exports a provider. The session's id is left in WORKSPACE/.session. The last line of json and stream-json is always
the result, however the run ended.

Examples:
  attractor exec agents/developer.md . < parameters.json
  echo '{"TASK_FILE":"tasks/a.md"}' | attractor exec developer work/a --provider=anthropic
  attractor exec agents/developer.md . ses_01j9… --provider=openai
  agent-executor agents/developer.md /var/workspaces/task-1 --provider=claude-code`;

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new CommandFailure(`--max-turns expects a whole number of 1 or more, not '${text}'.`, EXIT.usage);
  return value;
}
