import type { Command } from 'commander';
import { nearestName } from '@attractor/base';

/**
 * A group of commands says which of them was probably meant, whatever follows the mistyped word. Otherwise the flags and arguments of the
 * command that was meant would be refused first.
 */
export function suggestWithin(group: Command): void {
  if (group.commands.length === 0) return;
  for (const command of group.commands) suggestWithin(command);
  group.allowExcessArguments().allowUnknownOption();
  group.on('beforeHelp', () => {
    const [typed] = group.args;
    if (typed !== undefined && !typed.startsWith('-') && typed !== 'help') unknownCommand(group, typed);
  });
  group.hook('preAction', (of, acting) => {
    if (of !== acting || of !== group) return;
    const [typed] = group.args;
    if (typed === undefined) return;
    if (typed.startsWith('-')) unknownFlag(group, typed);
    unknownCommand(group, typed);
  });
}

export function unknownCommand(group: Command, typed: string): never {
  const near = nearestName(typed, namesIn(group));
  const path = pathOf(group);
  const hint = near !== null ? ` (did you mean ${near}?)` : path === '' ? '' : `. It has: ${visible(group).join(', ')}`;
  return group.error(`unknown command '${path}${typed}'${hint}`);
}

function unknownFlag(group: Command, typed: string): never {
  const near = nearestName(
    typed.split('=')[0] ?? typed,
    group.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
  );
  return group.error(`unknown option '${typed}'${near === null ? '' : ` (did you mean ${near}?)`}`);
}

function pathOf(group: Command): string {
  return group.parent === null ? '' : `${pathOf(group.parent)}${group.name()} `;
}

function visible(group: Command): ReadonlyArray<string> {
  return group
    .createHelp()
    .visibleCommands(group)
    .map((command) => command.name());
}

/** Names and aliases of what the help lists. */
function namesIn(group: Command): ReadonlyArray<string> {
  const shown = new Set(visible(group));
  return group.commands.flatMap((command) => (shown.has(command.name()) ? [command.name(), ...command.aliases()] : []));
}
