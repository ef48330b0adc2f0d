import { showCost, showCount } from '../conversation/amounts.ts';
import { type Line, linesOf, plainLine } from '../themes/line.ts';
import { createColours } from '../markdown/code-colours.ts';
import { background } from './background-command.ts';
import type { CommandContext, SlashCommand } from './command.ts';
import { inbox } from './inbox-command.ts';

/** Commands that show something. */
export const LOOK_COMMANDS: ReadonlyArray<SlashCommand> = [
  { name: 'context', about: 'what fills the window of the model', run: context },
  { name: 'cost', about: 'what this conversation cost, by model', run: cost },
  {
    name: 'usage',
    about: 'what runs on the platform cost, by day',
    run: (given) => ofProgram(given, ['costs', 'list', '--all']),
  },
  { name: 'status', about: 'session, model, mode, folder', run: status },
  { name: 'diff', about: 'what has changed in this folder since the last commit', run: diff },
  { name: 'memory', about: 'what is remembered in this project', run: memory },
  {
    name: 'agents',
    about: 'agents that the model can send out',
    run: ({ loaded, print }) => print(listed(loaded.port.agents, '')),
  },
  {
    name: 'skills',
    about: 'skills that the model can read',
    run: ({ loaded, print }) => print(listed(loaded.port.skills, 'One is a folder: .attractor/skills/NAME/SKILL.md')),
  },
  {
    name: 'hooks',
    about: 'what runs at which moment',
    run: ({ loaded, print }) => print(lined(loaded.port.hooks, 'Define them under `hooks` in your settings.')),
  },
  { name: 'mcp', about: 'servers and their states', run: servers },
  {
    name: 'doctor',
    about: 'what is installed, what is missing, how to fix it',
    run: (given) => ofProgram(given, ['doctor']),
  },
  { name: 'inbox', about: 'what waits for you on the platform, answered in place', run: inbox },
  { name: 'background', about: 'commands that run in the background; choose one to end it', run: background },
];

const BAR = 30;

function context({ loaded, print }: CommandContext): void {
  const { telling, conversing, port } = loaded;
  const { model = port.model } = conversing.wish();
  const { contextTokens } = telling.tally();
  const window = port.windowOf(model);
  const session = conversing.session();
  const sizes = new Map<string, number>();
  for (const turn of session?.history() ?? [])
    sizes.set(turn.kind, (sizes.get(turn.kind) ?? 0) + JSON.stringify(turn).length);
  const sum = [...sizes.values()].reduce((all, size) => all + size, 0);
  const filled = window === null ? 0 : Math.min(BAR, Math.round((BAR * contextTokens) / window));
  const head =
    window === null
      ? `${showCount(contextTokens)} tokens; the window of ${model} is not known`
      : `${showCount(contextTokens)} of ${showCount(window)} tokens (${Math.round((100 * contextTokens) / window)} %)`;
  print([
    plainLine(`  ${head}`),
    [
      { text: `  ${'█'.repeat(filled)}`, role: 'accent' },
      { text: '░'.repeat(BAR - filled), role: 'dim' },
    ],
    ...[...sizes].map(([kind, size]) =>
      plainLine(
        `  ${(KINDS[kind] ?? kind).padEnd(20)} ${Math.round((100 * size) / Math.max(1, sum))} % of the conversation`,
        'dim',
      ),
    ),
    plainLine('  The system text and the tools come on top. /compact makes room.', 'dim'),
  ]);
}

const KINDS: Readonly<Record<string, string>> = {
  user: 'what you said',
  assistant: 'answers and calls',
  tool_results: 'output of tools',
  steering: 'said meanwhile',
  system: 'notes of the program',
};

function cost({ loaded, print }: CommandContext): void {
  const { usage, cost: sum, byModel, answers } = loaded.telling.tally();
  const cached = usage.cacheReadTokens ?? 0;
  print([
    plainLine(`  ${showCost(sum)} for ${answers === 1 ? '1 answer' : `${answers} answers`} in this window`),
    ...[...byModel].map(([model, used]) =>
      plainLine(`  ${model}: ${showCount(used.inputTokens)} read, ${showCount(used.outputTokens)} written`, 'dim'),
    ),
    ...(cached > 0 ? [plainLine(`  ${showCount(cached)} of what was read came from a cache`, 'dim')] : []),
  ]);
}

function status({ loaded, print, folder }: CommandContext): void {
  const { conversing, port } = loaded;
  const { model = port.model, mode = port.mode, effort, folders } = conversing.wish();
  const id = conversing.id();
  const rows: ReadonlyArray<readonly [string, string]> = [
    ['session', id === null ? 'begins with your first input' : id],
    ['model', `${model} (${port.provider})${effort === undefined || effort === null ? '' : `, effort ${effort}`}`],
    ['permissions', mode],
    ['folder', [folder, ...folders].join(', ')],
    ['elsewhere', id === null ? '' : `attractor -r ${id} · attractor sessions show ${id}`],
  ];
  print(
    rows
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [{ text: `  ${name.padEnd(12)}`, role: 'dim' }, { text: value }]),
  );
}

async function diff({ loaded, print, tell }: CommandContext): Promise<void> {
  const git = (line: string) =>
    loaded.port.shell(`git --no-pager ${line}`, () => undefined, new AbortController().signal);
  const hasCommit = (await git('rev-parse --verify --quiet HEAD')).exitCode === 0;
  const { output, exitCode } = await git(`diff --no-color ${hasCommit ? 'HEAD' : '--cached'}`);
  if (exitCode !== 0) return tell(`git can't say: ${output.trim().split('\n')[0] ?? ''}`);
  const others = await git('ls-files --others --exclude-standard');
  const added = others.exitCode === 0 ? linesIn(others.output) : [];
  if (linesIn(output).length + added.length === 0) return tell('Nothing has changed since the last commit.');
  const colours = createColours('diff');
  const more = added.length - MOST_NEW;
  print([
    ...linesIn(output).map((line) => colours(line)),
    ...added.slice(0, MOST_NEW).map((file) => plainLine(`new: ${file}`, 'added')),
    ...(more > 0 ? [plainLine(`… and ${more} more new files`, 'dim')] : []),
  ]);
}

const MOST_NEW = 50;

function linesIn(output: string): ReadonlyArray<string> {
  return output.trim() === '' ? [] : output.trimEnd().split('\n');
}

async function memory({ loaded, print, tell }: CommandContext): Promise<void> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(loaded.port.memoryFile, 'utf8').catch(() => '');
  if (text.trim() === '') return tell(`Nothing yet. # and a text keeps it in ${loaded.port.memoryFile}`);
  print([plainLine(loaded.port.memoryFile, 'dim'), ...linesOf(text.trimEnd())]);
}

async function servers({ loaded, print }: CommandContext): Promise<void> {
  await loaded.prompts.ask();
  const live = loaded.conversing.session()?.servers() ?? [];
  if (live.length === 0)
    return print(lined(loaded.port.servers, 'Define them under `mcpServers` in your settings, or in .mcp.json.'));
  print([
    ...live.map(({ name, state, problem }) =>
      plainLine(
        `  ${name}: ${state}${problem === null ? '' : ` (${problem.message})`}`,
        problem === null ? 'plain' : 'bad',
      ),
    ),
    ...loaded.prompts.list().map(({ name, description }) => plainLine(`  /${name} ${description}`, 'dim')),
  ]);
}

type Listed = { readonly name: string; readonly description: string };

function listed(all: ReadonlyArray<Listed>, how: string): ReadonlyArray<Line> {
  if (all.length === 0) return lined([], how);
  return all.map(({ name, description }) => [
    { text: `  ${name}`, bold: true },
    { text: `  ${description.split('\n')[0] ?? ''}`, role: 'dim' },
  ]);
}

/** `how`: where one would be written down. */
function lined(lines: ReadonlyArray<string>, how: string): ReadonlyArray<Line> {
  return lines.length === 0
    ? [plainLine(`  None here. ${how}`.trimEnd(), 'dim')]
    : lines.map((line) => plainLine(`  ${line}`));
}

async function ofProgram({ loaded, print }: CommandContext, argv: ReadonlyArray<string>): Promise<void> {
  const { output, exitCode } = await loaded.port.attractor(argv);
  print(linesOf(output.trimEnd(), exitCode === 0 ? 'plain' : 'bad'));
}
