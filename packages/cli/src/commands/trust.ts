import type { Command } from 'commander';
import { EXIT } from '@attractor/console';
import { quiet } from '../program.ts';

type Flags = { readonly json?: boolean; readonly cwd?: string };

export function define(command: Command, finish: (exitCode: number) => void): void {
  command
    .description("Shows, grants and revokes trust in a repository's configuration.")
    .addHelpText('after', EXAMPLES)
    .action(() => {
      command.outputHelp();
      finish(EXIT.done);
    });
  const load = () => import('../trust/subcommands.ts');
  part(command, 'show')
    .description('Shows the files that would run or permit something, and what changed since they were trusted.')
    .option('--full', 'with the content of each file')
    .action(async (flags: Flags & { readonly full?: boolean }) => finish(await (await load()).show(flags)));
  part(command, 'grant')
    .description('Trusts the configuration exactly as it is now. Any change needs trust again.')
    .option('-y, --yes', 'without asking; for scripts, together with --hash')
    .option('--hash <hash>', 'only if it is the one that `trust show` printed')
    .action(async (flags: Flags & { readonly yes?: boolean; readonly hash?: string }) =>
      finish(await (await load()).grant(flags)),
    );
  part(command, 'revoke')
    .description('Revokes all trust in this repository.')
    .action(async (flags: Flags) => finish(await (await load()).revoke(flags)));
}

function part(command: Command, name: string): Command {
  return quiet(command.command(name))
    .option('--cwd <folder>', 'a folder of the repository (default: here)')
    .option('--json', 'one JSON object, for scripts');
}

const EXAMPLES = `
Until you trust a repository, none of its settings, checks, hooks, MCP servers or agents is used, and nothing in it runs.
Exit code 0 done; 4 refused, or, for show, not trusted as it is now.

Examples:
  attractor trust show --full
  attractor trust grant
  attractor trust revoke`;
