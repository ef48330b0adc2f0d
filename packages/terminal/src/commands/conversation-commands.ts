import { createMenu } from '../prompts/menu.ts';
import { createPicker } from '../prompts/picker.ts';
import { EMPTY_LINE, type Line, linesOf, plainLine } from '../themes/line.ts';
import type { CommandContext, SlashCommand } from './command.ts';

/** Commands about the conversation itself: where it goes on, where it came from, what is kept of it. */
export const CONVERSATION_COMMANDS: ReadonlyArray<SlashCommand> = [
  { name: 'clear', about: 'begin a new conversation; the old one stays', run: clear },
  {
    name: 'compact',
    takes: '[what matters]',
    about: 'make room: replace the conversation by a summary',
    run: ({ say }, text) => say(`/compact ${text}`.trim()),
  },
  { name: 'resume', takes: '[id]', about: 'continue an earlier conversation', run: resume },
  { name: 'fork', about: 'continue in a copy; this one stays as it is', run: fork },
  { name: 'rewind', about: 'take the conversation, the files or both back to an earlier input', run: rewind },
  { name: 'copy', about: 'copy the last answer, as it was written', run: copy },
  { name: 'export', takes: '[file]', about: 'write the whole conversation to a file', run: exportTo },
  {
    name: 'remember',
    takes: '<what>',
    about: 'keep something for every later conversation here (also: # what)',
    run: ({ say, tell }, text) => {
      if (text === '') return tell('Say what: /remember tests run with make check');
      tell(`To be remembered: ${text}`);
      say(`/remember ${text}`);
    },
  },
  { name: 'exit', about: 'leave; also Ctrl-D, or Ctrl-C twice', run: ({ exit }) => exit() },
];

async function clear({ loaded, tell }: CommandContext): Promise<void> {
  const id = loaded.conversing.id();
  await loaded.conversing.change({ isNew: true });
  loaded.telling.begin();
  tell(id === null ? 'This is a new conversation.' : `A new conversation begins. The one before: /resume ${id}`);
}

async function resume(context: CommandContext, text: string): Promise<void> {
  const { show, folder, tell, goTo } = context;
  if (text !== '') return goTo(text);
  const items = sessionItems(context, folder);
  if (items.length === 0) return tell('There is no earlier conversation here.');
  show(
    createPicker({
      title: 'Continue a conversation',
      items,
      cancel: () => show(null),
      choose: ({ value }) => {
        show(null);
        void goTo(value);
      },
    }),
  );
}

/** Conversations of a folder, the newest first; those in which nobody said anything are left out. */
export function sessionItems({ loaded }: Pick<CommandContext, 'loaded'>, folder: string): ReadonlyArray<SessionItem> {
  return loaded.port.sessions
    .list({ cwd: folder, limit: 200 })
    .filter(({ turns }) => turns > 0)
    .map(({ id, title, updatedAt, turns, writer }) => ({
      value: id,
      label: title === '' ? id : title,
      detail: `${agoOf(updatedAt)} · ${turns} turns${whereOpen(writer)}`,
    }));
}

function whereOpen(writer: number | null): string {
  if (writer === null) return '';
  return writer === process.pid ? ' · this one' : ' · open elsewhere';
}

export type SessionItem = { readonly value: string; readonly label: string; readonly detail: string };

function agoOf(at: string): string {
  const minutes = Math.round((Date.now() - Date.parse(at)) / 60_000);
  if (minutes < 60) return `${Math.max(0, minutes)} min ago`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1_440)} days ago`;
}

async function fork({ loaded, tell, goTo }: CommandContext): Promise<void> {
  const id = loaded.conversing.id();
  if (id === null) return tell('The conversation is empty: there is nothing to copy.');
  const forked = loaded.port.sessions.fork(id);
  if (!forked.ok) return tell(forked.error.message);
  tell(`Continuing in a copy. In the original, files can be taken back to earlier inputs: /resume ${id}`);
  await goTo(forked.value.id);
}

async function rewind({ loaded, show, tell, goTo, print, world }: CommandContext): Promise<void> {
  const id = loaded.conversing.id();
  if (id === null) return tell('The conversation is empty: there is nothing to take back.');
  const inputs = [...loaded.port.sessions.turns(id)].filter(({ kind }) => kind === 'user');
  if (inputs.length === 0) return tell('The conversation is empty: there is nothing to take back.');
  const rewindTo = async (turn: number, only: string): Promise<void> => {
    const flags = only === 'both' ? [] : ['--only', only];
    world.first = 'One moment: it is being taken back.';
    await loaded.conversing.change({ resume: id });
    const { output, exitCode } = await loaded.port.attractor([
      'sessions',
      'rewind',
      id,
      '--turn',
      String(turn),
      '--yes',
      ...flags,
    ]);
    print([EMPTY_LINE, ...linesOf(output.trimEnd(), exitCode === 0 ? 'dim' : 'bad')]);
    if (exitCode === 0 && only !== 'files') await goTo(id);
  };
  const askHow = async (turn: number, text: string): Promise<void> => {
    const preview = await loaded.port.attractor(['sessions', 'rewind', id, '--turn', String(turn), '--dry-run']);
    const files = preview.output.trim() === '' ? 'no file' : preview.output.trim().split('\n').slice(0, 8).join('\n');
    const title: ReadonlyArray<Line> = [
      plainLine(`Back to before: ${text}`, 'accent'),
      ...linesOf(`Files: ${files}`, 'dim'),
    ];
    show(
      createMenu({
        title,
        choices: [
          { key: 'b', value: 'both', label: 'Conversation and files' },
          { key: 'c', value: 'conversation', label: 'Conversation only' },
          { key: 'f', value: 'files', label: 'Files only' },
        ],
        cancel: () => show(null),
        choose: ([value = 'both']) => {
          show(null);
          void rewindTo(turn, value).finally(() => {
            world.first = '';
          });
        },
      }),
    );
  };
  show(
    createPicker({
      title: 'Take back to before',
      items: inputs.toReversed().map(({ turn, text, at }) => ({
        value: String(turn - 1),
        label: text.split('\n')[0] ?? '',
        detail: agoOf(at),
      })),
      cancel: () => show(null),
      choose: ({ value, label }) => void askHow(Number(value), label),
    }),
  );
}

/** The terminal puts it on the clipboard, also over ssh; what it can't, a file has. */
async function copy({ loaded, tell, screen }: CommandContext): Promise<void> {
  const text = loaded.telling.lastAnswer();
  if (text === '') return tell('There is no answer yet.');
  screen.copy(text);
  tell(`Copied ${text.length.toLocaleString('en')} characters of the last answer, if your terminal allows it.`);
}

async function exportTo({ loaded, tell, folder }: CommandContext, text: string): Promise<void> {
  const id = loaded.conversing.id();
  if (id === null) return tell('The conversation is empty: there is nothing to write.');
  const file = text === '' ? `${folder}/${id}.jsonl` : text;
  const { output, exitCode } = await loaded.port.attractor(['sessions', 'export', id, '--output', file]);
  tell(exitCode === 0 ? `Written to ${file}. It comes back with: attractor sessions import ${file}` : output.trim());
}
