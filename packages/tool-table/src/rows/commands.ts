import { ALL, OWN, type ToolRow } from '../row.ts';
import { shownCommand } from '../shown-arguments.ts';
import { COMMANDS, runsCommand, staysInside } from '../touch.ts';

/** Commands, and those that run in the background. */
export const COMMAND_TOOLS = {
  shell: {
    does: 'runs a command',
    families: { anthropic: { asked: 'Bash' }, openai: OWN, gemini: { asked: 'run_shell_command' } },
    foreign: ['exec_command', 'local_shell'],
    use: 'run',
    touches: runsCommand,
    rule: 'Bash',
    whereNothingChanges: 'promised',
    subject: COMMANDS,
    output: { chars: 30_000, keep: 'head_tail', lines: 256 },
    shown: shownCommand,
  },
  bash_output: {
    does: 'new output of a command in the background',
    families: { ...ALL, anthropic: { always: 'BashOutput' } },
    use: 'run',
    touches: staysInside,
    rule: null,
    whereNothingChanges: 'promised',
    subject: ['bash_id'],
    needs: 'background',
    advice: {
      with: ['kill_shell'],
      say: 'What never ends by itself (servers, watchers) and what takes minutes runs in the background: start it so, look at it with bash_output, and end it with kill_shell when it is no longer needed.',
    },
  },
  kill_shell: {
    does: 'ends a command in the background',
    families: { ...ALL, anthropic: { always: 'KillShell' } },
    use: 'run',
    touches: staysInside,
    rule: null,
    whereNothingChanges: 'promised',
    subject: ['shell_id'],
    needs: 'background',
  },
} as const satisfies Readonly<Record<string, ToolRow>>;
