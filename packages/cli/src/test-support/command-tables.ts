import type { Command } from 'commander';

/** The commands of a program as markdown tables: one for each noun, one for the commands that stand alone. */
export function commandTables(program: Command): string {
  const visible = program.createHelp().visibleCommands(program);
  const own = visible.filter((command) => command.name() !== 'help');
  const alone = own.filter((command) => subcommands(command).length === 0);
  const nouns = own.filter((command) => subcommands(command).length > 0);
  return [
    '### Commands that stand alone',
    table(alone.map((command) => [usage(command, ''), about(command)])),
    ...nouns.flatMap((noun) => [
      `### attractor ${[noun.name(), ...noun.aliases()].join(', ')}`,
      about(noun),
      table(subcommands(noun).map((verb) => [usage(verb, noun.name()), about(verb)])),
    ]),
  ].join('\n\n');
}

function subcommands(command: Command): ReadonlyArray<Command> {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((sub) => sub.name() !== 'help');
}

function table(rows: ReadonlyArray<readonly [string, string]>): string {
  return [
    '| command | what it does |',
    '| --- | --- |',
    ...rows.map(([left, right]) => `| \`${left}\` | ${right} |`),
  ].join('\n');
}

function usage(command: Command, noun: string): string {
  const places = command.registeredArguments.filter((argument) => argument.name() !== 'verb');
  const args = places.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [noun, command.name(), ...args].filter((word) => word !== '').join(' ');
}

function about(command: Command): string {
  const text = command.description() || command.summary();
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
