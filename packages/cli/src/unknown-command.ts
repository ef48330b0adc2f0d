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
  // A group that does nothing by itself.
  group.on('command:*', ([typed = '']: ReadonlyArray<string>) => unknownCommand(group, typed));
  group.hook('preAction', (of, acting) => {
    if (of !== acting || of !== group) return;
    const [typed] = group.args;
    if (typed === undefined) return;
    if (typed.startsWith('-')) unknownFlag(group, typed);
    unknownCommand(group, typed);
  });
}

export function unknownCommand(group: Command, typed: string): never {
  const path = pathOf(group);
  const elsewhere = ELSEWHERE[`${path}${typed}`];
  if (elsewhere !== undefined) return group.error(`there is no command '${path}${typed}': ${elsewhere}`);
  const near = nearestName(typed, namesIn(group));
  const hint = near !== null ? ` (did you mean ${near}?)` : path === '' ? '' : `. It has: ${visible(group).join(', ')}`;
  return group.error(`unknown command '${path}${typed}'${hint}`);
}

const WRITE_SERVER =
  'write the server under "mcpServers" in ~/.attractor/config.json (yours) or in .mcp.json (the repository\'s), or give it to one run with --mcp NAME=COMMAND,ARG…';
const SHOW_SERVERS =
  '`attractor config show` lists the servers of this folder and where each is written; `attractor mcp tools` tries one';

/** Words of other agents' commands, and what does the same here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'mcp add': WRITE_SERVER,
  'mcp add-json': WRITE_SERVER,
  'mcp add-from-claude-desktop': WRITE_SERVER,
  'mcp list': SHOW_SERVERS,
  'mcp get': SHOW_SERVERS,
  'mcp remove':
    'take the server out of the file where it is written: `attractor config show` says which; what `claude mcp add` wrote counts from ~/.claude.json',
  'mcp reset-project-choices':
    'whose servers of a repository count is said by trust: `attractor trust show`, `attractor trust revoke`',
};

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
