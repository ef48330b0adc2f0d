import type { RegisteredTool, ToolContext, ToolResult } from '../../types/index.ts';
import { answering, failure, requiredText } from '../arguments.ts';

/** `arguments` is everything after the name, unchanged. */
export type SlashCommandCall = {
  readonly name: string;
  readonly arguments: string;
  readonly context: ToolContext | undefined;
};

export type SlashCommands = {
  /** The commands that a model may call. */
  readonly list: () => ReadonlyArray<{ readonly name: string; readonly description: string }>;
  /** Whether some run programs before they answer; absent: unknown. */
  readonly runsCommands?: boolean;
  /** The command's text for the model, or why it can't run; null: there is no such command. */
  readonly run: (call: SlashCommandCall) => Promise<string | ToolResult | null>;
};

/** The description lists the commands as of when the tool is made, so that the prompt stays the same for the whole session. */
export function createSlashCommandTool(commands: SlashCommands): RegisteredTool {
  const known = commands.list();
  const rows = known.map(({ name, description }) => `/${name}: ${description}`);
  return {
    definition: {
      name: 'slash_command',
      description: ['Runs one of the commands that are kept for this project.', ...rows].join('\n'),
      parameters: {
        type: 'object',
        properties: {
          command: { type: 'string', description: 'The command with its arguments, for example "/review 12".' },
        },
        required: ['command'],
        additionalProperties: false,
      },
    },
    executor: answering(async (args, _env, context) => {
      const [, name = '', rest = ''] = /^\s*\/?(\S+)\s*([^]*)$/.exec(requiredText(args, 'command')) ?? [];
      const said = name === '' ? null : await commands.run({ name, arguments: rest.trimEnd(), context });
      if (said !== null) return said;
      const names = commands.list().map((command) => `/${command.name}`);
      return failure(
        `There is no command /${name}. ${names.length === 0 ? 'None is kept here.' : `Known: ${names.join(', ')}.`}`,
      );
    }),
    ...(commands.runsCommands === false
      ? { readOnly: true }
      : { serial: true, judgesItself: commands.runsCommands === true }),
  };
}
