import type { Command } from 'commander';
import { addHeadlessFlags, type GivenFlags } from '../headless/flags.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  addHeadlessFlags(command)
    .description('Continues a session: finishes what was left undone, or does what a prompt says.')
    .argument('[id]', "the session's id, or the beginning of it (default: the newest session of this folder)")
    .argument('[prompt]', 'what to do next (default: what a run that died left undone)')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string | undefined, prompt: string | undefined, flags: GivenFlags) => {
      const { headless } = await import('../headless/command.ts');
      const said = typeof flags.print === 'string' ? flags.print : prompt;
      const whatToDo = said ?? (flags.print === true || flags.inputFormat === 'stream-json' ? undefined : null);
      finish(await headless(whatToDo, { ...flags, ...(id === undefined ? { continue: true } : { resume: id }) }));
    });
}

const EXAMPLES = `
The same as \`attractor -p --resume ID\`, with the same flags, lines and exit codes; but no prompt is needed. The model is told that
what was running when the last run died was interrupted; it is not run again.
Exit code 3: no such session. 4: nothing was left unfinished and there is no prompt, or another process works in it.

Examples:
  attractor resume
  attractor resume ses_01m7 "and now the tests" --permission-mode acceptEdits
  attractor resume ses_01m7 --output-format stream-json`;
