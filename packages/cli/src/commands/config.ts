import type { Command } from 'commander';
import { EXIT } from '@attractor/console';
import { addModelFlags, type ModelFlags } from '../model-flags.ts';
import { defineVerb } from '../verbs/noun.ts';
import { SHOW_RUN_CONFIG } from '../nouns/run-config.ts';
import { quiet } from '../program.ts';

type ShowFlags = ModelFlags & { readonly json?: boolean; readonly cwd?: string; readonly all?: boolean };

export function define(command: Command, finish: (exitCode: number) => void): void {
  command
    .description('Shows the settings that have effect here and where each comes from.')
    .addHelpText('after', EXAMPLES)
    .action(() => {
      command.outputHelp();
      finish(EXIT.done);
    });
  defineVerb(quiet(command.command('run')), finish, SHOW_RUN_CONFIG);
  const show = quiet(command.command('show'))
    .description(
      'Lists every setting with its file and line, every document, skill, command and agent, and what has no counterpart here.',
    )
    .option('--cwd <folder>', 'the folder to look from (default: here)')
    .option('--all', 'also settings that are not set and have no default')
    .option('--json', 'one JSON object a line, for scripts')
    .addHelpText('after', EXAMPLES);
  addModelFlags(show).action(async (flags: ShowFlags) =>
    finish(await (await import('../config/show-settings.ts')).showSettings(flags)),
  );
}

const EXAMPLES = `
Weakest to strongest: defaults, your files, the repository's files once you trust them (see \`attractor trust\`),
the environment, flags, an administrator's files. Secrets are masked. Nothing of the repository is run.
Exit code 0, or 4 if something that may be a limit can't be understood: no agent starts until it is fixed.

Examples:
  attractor config show
  attractor config show --json --cwd ../other`;
