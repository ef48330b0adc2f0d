import { Argument, type Command } from 'commander';
import type { WholeProgram } from '../program.ts';
import { putText } from '@attractor/console';

const SHELLS = ['bash', 'zsh', 'fish'];

export function define(command: Command, finish: (exitCode: number) => void, whole: WholeProgram): void {
  command
    .description('Prints a script that lets a shell complete commands, verbs and flags.')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: string) => {
      const { completionScript } = await import('../completion/script.ts');
      putText(process.stdout, completionScript(shell, await whole()));
      finish(0);
    });
}

const EXAMPLES = `
Examples:
  source <(attractor completion bash)
  attractor completion zsh > "\${fpath[1]}/_attractor"
  attractor completion fish > ~/.config/fish/completions/attractor.fish`;
