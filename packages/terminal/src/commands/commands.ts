import { nearestName } from '@attractor/base';
import type { Candidate } from '../complete/completion.ts';
import type { Line } from '../themes/line.ts';
import { EMPTY_LINE, plainLine } from '../themes/line.ts';
import { CHOICE_COMMANDS } from './choice-commands.ts';
import { type CommandContext, listed, type SlashCommand } from './command.ts';
import { LOOK_COMMANDS } from './look-commands.ts';
import { CONVERSATION_COMMANDS } from './conversation-commands.ts';
import type { Named } from '../converse/agent-port.ts';
import type { Loaded } from '../converse/world.ts';

const HELP: SlashCommand = {
  name: 'help',
  about: 'this list',
  run: async ({ print, loaded, screen }) => {
    await loaded.prompts.ask();
    print(helpLines(loaded, screen.size().columns));
  },
};

/** Every command of ours, in the order of `/help`. */
export const COMMANDS: ReadonlyArray<SlashCommand> = [
  HELP,
  ...CONVERSATION_COMMANDS,
  ...CHOICE_COMMANDS,
  ...LOOK_COMMANDS,
];

const OTHER_NAMES: Readonly<Record<string, string>> = {
  quit: 'exit',
  new: 'clear',
  '?': 'help',
  undo: 'rewind',
  continue: 'resume',
  bashes: 'background',
  jobs: 'background',
};

/** Carries out a line that begins with a slash. `unknown`: no command has that name; `theirs`: the session knows it. */
export function runSlashCommand(context: CommandContext, line: string): 'done' | 'theirs' | 'unknown' {
  const [, typed = '', text = ''] = /^\/(\S*)\s*([^]*)$/.exec(line) ?? [];
  const name = OTHER_NAMES[typed] ?? typed;
  const command = COMMANDS.find((one) => one.name === name);
  if (command !== undefined) {
    context.print([EMPTY_LINE, plainLine(`› ${line}`, 'dim')]);
    void Promise.resolve(command.run(context, text.trim())).catch((error: unknown) => context.tell(String(error)));
    return 'done';
  }
  const { commands, skills } = context.loaded.port;
  const isTheirs = [...commands, ...skills].some((one) => one.name === typed) || typed.startsWith('mcp__');
  return isTheirs ? 'theirs' : 'unknown';
}

/** The command that was probably meant; null: none is near. */
export function nearCommand(line: string): string | null {
  const typed = /^\/(\S*)/.exec(line)?.[1] ?? '';
  return nearestName(
    typed,
    COMMANDS.map(({ name }) => name),
  );
}

export function commandCandidates(loaded: Loaded | null): ReadonlyArray<Candidate> {
  const theirs = loaded === null ? [] : theirsOf(loaded);
  return [
    ...COMMANDS.map(({ name, takes, about }) => ({
      text: name,
      detail: takes === undefined ? about : `${takes}  ${about}`,
      isWhole: takes?.startsWith('<') !== true,
    })),
    ...theirs.map(({ name, description }) => ({ text: name, detail: description.split('\n')[0] ?? '' })),
  ];
}

export function argumentCandidates(loaded: Loaded | null, name: string): ReadonlyArray<Candidate> {
  const command = COMMANDS.find((one) => one.name === name);
  return loaded === null ? [] : (command?.complete?.({ loaded }) ?? []);
}

function theirsOf({ port, prompts }: Loaded): ReadonlyArray<Named> {
  return [...port.commands, ...port.skills, ...prompts.list()];
}

function helpLines(loaded: Loaded, columns: number): ReadonlyArray<Line> {
  const rows = COMMANDS.flatMap(({ name, takes = '', about }) => listed(`/${name} ${takes}`, about, columns));
  const theirs = theirsOf(loaded).flatMap(({ name, description }) =>
    listed(`/${name}`, description.split('\n')[0] ?? '', columns),
  );
  return [
    ...rows,
    ...(theirs.length === 0 ? [] : [plainLine('  Your own:', 'dim'), ...theirs]),
    plainLine('  @file mentions a file · ! runs a command · # remembers · /keys shows the keys', 'dim'),
  ];
}
