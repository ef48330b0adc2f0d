import type { Command } from 'commander';
import { EXIT } from '@attractor/console';
import { addModelFlags, type ModelFlags } from '../model-flags.ts';
import { defineVerb } from '../verbs/noun.ts';
import { SHOW_RUN_CONFIG } from '../nouns/run-config.ts';
import { quiet } from '../program.ts';

type ShowFlags = ModelFlags & { readonly json?: boolean; readonly cwd?: string; readonly all?: boolean };

export function define(command: Command, finish: (exitCode: number) => void): void {
  command
    .description('Shows the settings that count here and where each comes from.')
    .addHelpText('after', EXAMPLES)
    .action(() => {
      command.outputHelp();
      finish(EXIT.done);
    });
  defineVerb(quiet(command.command('run')), finish, SHOW_RUN_CONFIG);
  const show = quiet(command.command('show'))
    .description(
      'Lists every setting with the file and line it stands in, every document, skill, command and agent, and what does not map.',
    )
    .option('--cwd <folder>', 'the folder to look from (default: here)')
    .option('--all', 'also settings that nobody set and that have no default')
    .option('--json', 'one JSON object a line, for scripts')
    .addHelpText('after', EXAMPLES);
  addModelFlags(show).action(async (flags: ShowFlags) =>
    finish(await (await import('../config/show-settings.ts')).showSettings(flags)),
  );
}

const EXAMPLES = `
Weakest to strongest: defaults, your files, the repository's files once you trusted them (see \`attractor trust\`),
the environment, flags, an administrator's files. Secrets are masked. Nothing of the repository is run.
Exit code 0, or 4 when something can't be understood that may be a limit: no agent starts until it is fixed.

Examples:
  attractor config show
  attractor config show --json --cwd ../other`;
