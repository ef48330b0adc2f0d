import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { programFiles } from '@attractor/confine';
import { RUN_DEFAULTS } from '@attractor/facts';
import { runGit } from '@attractor/git';
import type { Agent, AgentFailure, AgentRunOptions } from './agent.ts';
import { type CliDefinition, fillArguments, names } from './cli/definition.ts';
import { createOutputReader } from './cli/read-output.ts';
import type { Dialogue } from './program/dialogue.ts';
import { findProgram } from './program/find-program.ts';
import { type HostVariables, passedOn } from './program/passed-on.ts';
import { type ProgramCall, type ProgramKind, programCalls } from './program/run-program.ts';

export type CliAgentOptions = {
  /** The name under which it was configured. */
  readonly type: string;
  readonly definition: CliDefinition;
  /** The host's variables; those that the definition names are passed on. */
  readonly env: HostVariables;
};

/**
 * Any command as an agent. It runs in its own process group, in the run's sandbox, and reports by its output; its outcome is in the markers
 * of its last text. A start that was cut off is ended first and then repeated, which the prompt mentions. A further input is another start
 * that is told what happened before.
 */
export function createCliAgent(cli: CliAgentOptions): Agent {
  const { type, definition } = cli;
  const { run, say } = programCalls(kindOf(cli));
  return {
    type,
    displayName: definition.displayName ?? type,
    isAvailable: async () => {
      const [file] = definition.command;
      const found = await findProgram(file, cli.env);
      if (found.file !== null) return { available: true };
      return { available: false, reason: `the command "${file}" is not found; install it, or give its full path` };
    },
    getDefaultConfig: () => RUN_DEFAULTS,
    run,
    say,
  };
}

function kindOf(cli: CliAgentOptions): ProgramKind {
  const { type, definition } = cli;
  return {
    name: definition.displayName ?? type,
    remembers: false,
    secrets: passedOn(definition.env, cli.env),
    refuses: (options) => (commandFor(definition, options) === null ? NOT_HELD : null),
    prepare: async (call) => {
      const { options, prompt } = call;
      const command = commandFor(definition, options) ?? definition.command;
      const promptFile = names(command, 'promptFile') ? await writePrompt(options, prompt) : '';
      const { projectPath: worktree, config } = options;
      const isNamed = names(command, 'prompt') || promptFile !== '';
      return {
        argv: fillArguments(command, { prompt, promptFile, worktree, model: config.model ?? '' }),
        readable: programFiles(command),
        dialogue: listen(definition, call, isNamed ? '' : prompt),
        close: async () => {
          if (promptFile !== '') await rm(promptFile, { force: true });
        },
      };
    },
  };
}

const NOT_HELD: AgentFailure = {
  code: 'not_read_only',
  message:
    'This run is read-only, and nothing here can hold the command to that. Run it in a sandbox, or give the agent a "readOnlyCommand".',
  retryable: false,
};

function commandFor(
  definition: CliDefinition,
  { readOnly, sandbox }: AgentRunOptions,
): CliDefinition['command'] | null {
  if (!readOnly) return definition.command;
  return definition.readOnlyCommand ?? (sandbox === undefined ? null : definition.command);
}

/** It is told everything at once, and heard to its end. */
function listen(definition: CliDefinition, { tell, live }: ProgramCall, input: string): Dialogue {
  const reader = createOutputReader(definition, { tell, live: (text) => live({ kind: 'text_delta', text }) });
  return {
    begin: ({ write, close }) => {
      write(input);
      close();
    },
    push: reader.push,
    end: reader.end,
    ending: () => ({ finalText: reader.finalText(), usage: reader.usage(), isOver: false }),
  };
}

/** In the repository's own folder, which the command can read and which no commit contains. */
async function writePrompt(options: AgentRunOptions, prompt: string): Promise<string> {
  const found = await runGit(['rev-parse', '--absolute-git-dir'], { cwd: options.projectPath });
  const folder = found.exitCode === 0 ? found.stdout.trim() : options.statePath;
  const file = join(folder, `attractor-prompt-${options.runId.replaceAll(/[^\w-]/g, '_')}.md`);
  writeFileSync(file, prompt, { mode: 0o600 });
  return file;
}
