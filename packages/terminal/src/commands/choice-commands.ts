import type { PermissionMode } from '@attractor/policy';
import { createPicker } from '../prompts/picker.ts';
import { plainLine } from '../themes/line.ts';
import { isThemeName, THEME_NAMES, themeFor, themeNamed } from '../themes/themes.ts';
import { type CommandContext, listed, type SlashCommand } from './command.ts';

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max', 'default'] as const;

/** What a person may switch to while they talk; the other modes are for sessions without a person. */
export const MODES: ReadonlyArray<PermissionMode> = ['default', 'acceptEdits', 'plan'];

/** Commands that choose how the conversation goes on. */
export const CHOICE_COMMANDS: ReadonlyArray<SlashCommand> = [
  {
    name: 'model',
    takes: '[name]',
    about: 'which model answers',
    run: model,
    complete: ({ loaded }) => loaded.port.models.map(({ name, description }) => ({ text: name, detail: description })),
  },
  {
    name: 'effort',
    takes: '[low|medium|high|default]',
    about: 'how long the model thinks',
    run: effort,
    complete: () => EFFORTS.map((text) => ({ text })),
  },
  {
    name: 'permissions',
    takes: '[mode]',
    about: 'what runs without asking, and the rules',
    run: permissions,
    complete: () => MODES.map((text) => ({ text })),
  },
  { name: 'plan', about: 'plan first: nothing may change until you approve', run: plan },
  { name: 'add-dir', takes: '<folder>', about: 'let tools work in another folder too', run: addFolder },
  {
    name: 'theme',
    takes: '[name]',
    about: 'colours: dark, light, ansi (sixteen), mono; auto follows the terminal',
    run: theme,
    complete: () => [...THEME_NAMES, AUTO].map((text) => ({ text })),
  },
  {
    name: 'vim',
    about: 'keys of vi in the editor, on or off',
    run: ({ world, choices, setVi, tell }) => {
      const isOn = world.editing.vi === null;
      setVi(isOn);
      choices.keep({ vi: isOn });
      tell(isOn ? 'Keys of vi: Esc leaves insert mode.' : 'Keys as in a shell.');
    },
  },
  {
    name: 'keys',
    about: 'what the keys do',
    run: ({ print, screen }) => print(KEYS.flatMap(([key, does]) => listed(key, does, screen.size().columns))),
  },
  { name: 'init', about: 'write an AGENTS.md for this project', run: ({ say }) => say(INIT) },
  {
    name: 'review',
    takes: '[what]',
    about: 'review what has changed',
    run: ({ say }, text) => say(`${REVIEW}${text === '' ? '' : ` Look at: ${text}`}`),
  },
  { name: 'task', takes: '<title>', about: 'make a task of it and hand it to the platform', run: task },
];

async function model({ loaded, show, tell }: CommandContext, text: string): Promise<void> {
  const choose = async (name: string): Promise<void> => {
    await loaded.conversing.change({ model: name });
    tell(`${name} answers from the next request.`);
  };
  if (text !== '') return choose(text);
  const { model: current = loaded.port.model } = loaded.conversing.wish();
  show(
    createPicker({
      title: `Model (now ${current})`,
      items: loaded.port.models.map(({ name, description }) => ({ value: name, label: name, detail: description })),
      cancel: () => show(null),
      choose: ({ value }) => {
        show(null);
        void choose(value);
      },
    }),
  );
}

async function effort({ loaded, tell }: CommandContext, text: string): Promise<void> {
  const chosen = EFFORTS.find((one) => one === text);
  if (chosen === undefined)
    return tell(`Effort is ${loaded.conversing.wish().effort ?? "the provider's own"}. Choose: ${EFFORTS.join(', ')}.`);
  await loaded.conversing.change({ effort: chosen === 'default' ? null : chosen });
  tell(`Effort: ${chosen}, from the next request on.`);
}

function permissions({ loaded, print, tell }: CommandContext, text: string): void {
  const { mode: now = loaded.port.mode } = loaded.conversing.wish();
  if (text === '') {
    const rules = loaded.port.rules.length === 0 ? ['there are no rules here'] : loaded.port.rules;
    print([
      plainLine(
        `  Mode: ${now}. Others: ${MODES.filter((mode) => mode !== now).join(', ')} (Shift-Tab goes through them)`,
      ),
      ...rules.map((rule) => plainLine(`  ${rule}`, 'dim')),
    ]);
    return;
  }
  const mode = MODES.find((one) => one.toLowerCase() === text.toLowerCase());
  if (mode === undefined) return tell(`There is no mode ${text} here. Choose: ${MODES.join(', ')}.`);
  loaded.conversing.setMode(mode);
  tell(`Permission mode: ${mode}.`);
}

function plan({ loaded, tell }: CommandContext): void {
  const isOn = (loaded.conversing.wish().mode ?? loaded.port.mode) === 'plan';
  loaded.conversing.setMode(isOn ? 'default' : 'plan');
  tell(
    isOn ? 'Plan mode is off.' : 'Plan mode: the agent looks around and proposes; nothing changes until you approve.',
  );
}

async function addFolder({ loaded, tell, folder }: CommandContext, text: string): Promise<void> {
  const { statSync } = await import('node:fs');
  const path = await import('node:path');
  const added = path.resolve(folder, text);
  if (text === '' || statSync(added, { throwIfNoEntry: false })?.isDirectory() !== true)
    return tell(`${text === '' ? 'Give a folder' : `${added} is not a folder`}: /add-dir ../other`);
  await loaded.conversing.change({ folders: [...loaded.conversing.wish().folders, added] });
  tell(`Tools may work in ${added} too, in this conversation.`);
}

/** Colours follow the terminal. */
const AUTO = 'auto';

function theme({ screen, choices, env, tell }: CommandContext, text: string): void {
  if (text !== AUTO && !isThemeName(text))
    return tell(`Colours: ${screen.theme().name}. Choose: ${[...THEME_NAMES, AUTO].join(', ')}.`);
  choices.keep({ theme: text === AUTO ? null : text });
  screen.setTheme(themeNamed(text === AUTO ? themeFor(env) : text));
  tell(text === AUTO ? 'Colours follow the terminal. Its background is read at the next start.' : `Colours: ${text}.`);
}

async function task({ loaded, tell }: CommandContext, text: string): Promise<void> {
  if (text === '') return tell('Give what should be done: /task make the tests pass');
  const id = loaded.conversing.id();
  const about = id === null ? [] : ['--description', `From the conversation ${id}.\n\n${loaded.telling.lastAnswer()}`];
  const { output, exitCode } = await loaded.port.attractor(['tasks', 'create', text, ...about]);
  tell(
    exitCode === 0
      ? `${output.trim()}\nStart it: attractor tasks start, or in the web app (attractor serve).`
      : output.trim(),
  );
}

const INIT =
  'Look at this project and write an AGENTS.md at its root for agents that will work here: what it is, how to build, test and run it, how it is laid out, and the rules that can be seen in its code. Short and exact; if there is one already, improve it.';
const REVIEW =
  'Review what has changed here since the last commit (git diff HEAD, and new files). Look for mistakes, missing cases and unclear code; name file and line, the worst first. Change nothing.';

const KEYS: ReadonlyArray<readonly [string, string]> = [
  ['Enter', 'sends it; while it works: queues it; alone with something queued: sends it now'],
  ['Shift-Enter, Alt-Enter, \\ Enter', 'a new line'],
  ['Esc', 'stops the work'],
  ['Esc Esc', 'takes the conversation or files back'],
  ['Ctrl-C', 'stops the work or clears the line; twice leaves'],
  ['Ctrl-D', 'leaves, if the line is empty'],
  ['Ctrl-Z', 'gives the terminal to the shell; `fg` comes back'],
  ['Shift-Tab', 'permission mode: default, edits allowed, plan'],
  ['Ctrl-O', 'more of what a running call prints; else the last folded output, whole'],
  ['Ctrl-R', 'searches your earlier inputs; ↑ and ↓ step through them'],
  ['Ctrl-G', 'writes in your own editor'],
  ['Tab', 'completes @files and /commands'],
  ['Ctrl-A E B F, Alt-B F', 'to the beginning and end, by character, by word'],
  ['Ctrl-W U K Y', 'cut a word, to the beginning, to the end; put it back'],
  ['Ctrl-_, Alt-_', 'undo, redo'],
];
