import vm from 'node:vm';
import type { RegisteredTool } from '../../types/index.ts';
import { answering, failure, optionalText, requiredText } from '../arguments.ts';
import { plainText } from '../plain-text.ts';
import type { BackgroundShell, BackgroundShells, NewOutput } from './shells.ts';

const FILTER_TIMEOUT_MS = 1_000;

/** New output of a command in the background. It changes only what counts as new, so it keeps its order in a batch. */
export function createBashOutputTool(shells: BackgroundShells): RegisteredTool {
  return {
    definition: {
      name: 'bash_output',
      description:
        'Shows what a command in the background printed since the last look, whether it still runs, and its exit code.',
      parameters: {
        type: 'object',
        properties: {
          bash_id: { type: 'string', description: 'The id that was given when the command was started.' },
          filter: {
            type: 'string',
            description:
              'A regular expression: only lines that match are shown, the others are not shown later either.',
          },
        },
        required: ['bash_id'],
        additionalProperties: false,
      },
    },
    executor: answering(async (args) => {
      const id = requiredText(args, 'bash_id');
      const filter = filterOf(optionalText(args, 'filter'));
      if (filter === null) return failure('The filter is not a regular expression: nothing was read.');
      const look = shells.look(id);
      if (look === null) return unknown(shells, id);
      const text = filter === undefined ? look.text : matching(look.text, filter);
      return text === null
        ? failure('The filter took too long, and what it read is gone: use a simpler one.')
        : shown(look, text);
    }),
    readOnly: true,
    serial: true,
  };
}

/** `kill_shell`: ends a command in the background and all its processes. */
export function createKillShellTool(shells: BackgroundShells): RegisteredTool {
  return {
    definition: {
      name: 'kill_shell',
      description: 'Ends a command in the background, with every process that it started.',
      parameters: {
        type: 'object',
        properties: { shell_id: { type: 'string', description: 'The id of the command.' } },
        required: ['shell_id'],
        additionalProperties: false,
      },
    },
    executor: answering(async (args) => {
      const id = requiredText(args, 'shell_id');
      const shell = await shells.kill(id);
      if (shell === null) return unknown(shells, id);
      return shell.status === 'killed' ? `${id} was ended.` : `${id} was over already: ${ending(shell)}.`;
    }),
    serial: true,
  };
}

function shown({ shell, omittedBytes }: NewOutput, text: string): string {
  return [
    omittedBytes > 0 ? `[${omittedBytes} bytes were printed before this and are no longer kept.]` : '',
    plainText(text).trimEnd(),
    `[${shell.id}: ${ending(shell)}]`,
  ]
    .filter(Boolean)
    .join('\n');
}

function ending({ status, end }: BackgroundShell): string {
  if (end === undefined) return status;
  return `${status}, exit code ${end.exitCode}${end.signal === undefined ? '' : ` (${end.signal})`}`;
}

const FILTER = new vm.Script(String.raw`lines.filter((line) => expression.test(line)).join('\n')`);

function filterOf(filter: string | undefined): RegExp | undefined | null {
  try {
    return filter === undefined ? undefined : new RegExp(filter, 'u');
  } catch {
    return null;
  }
}

/** Null if the expression takes too long. */
function matching(text: string, expression: RegExp): string | null {
  try {
    const context = vm.createContext({ lines: text.split('\n'), expression });
    return String(FILTER.runInContext(context, { timeout: FILTER_TIMEOUT_MS }));
  } catch {
    return null;
  }
}

function unknown(shells: BackgroundShells, id: string): ReturnType<typeof failure> {
  const ids = shells.list().map((shell) => `${shell.id} (${shell.status}: ${shell.command.slice(0, 60)})`);
  return failure(`There is no command ${id}. ${ids.length === 0 ? 'None was started.' : `Known: ${ids.join(', ')}.`}`);
}
