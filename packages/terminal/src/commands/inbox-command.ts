import { isRecord } from '@attractor/base';
import { replaced } from '../editor/editing.ts';
import { createMenu } from '../prompts/menu.ts';
import { createPicker } from '../prompts/picker.ts';
import { EMPTY_LINE, linesOf, plainLine } from '../themes/line.ts';
import type { CommandContext } from './command.ts';

/** Stands in a command where a person says something in their own words; the command has it between single quotes. */
const OWN_WORDS = '…';
const PROGRAM = 'attractor ';

/** Something that waits on the platform, as `attractor inbox --json` tells it. */
type Waiting = {
  readonly key: string;
  readonly title: string;
  readonly project: string;
  readonly label: string;
  readonly text: string;
  readonly steps: ReadonlyArray<{ readonly label: string; readonly command: string }>;
};

/** What waits on the platform: chosen, read and answered in place. */
export async function inbox(context: CommandContext): Promise<void> {
  const { loaded, tell, show } = context;
  const { output, exitCode } = await loaded.port.attractor(['inbox', '--json']);
  const waiting = exitCode === 0 ? waitingIn(output) : null;
  if (waiting === null) return tell(output.trim());
  if (waiting.length === 0) return tell('Nothing waits for you.');
  show(
    createPicker({
      title: 'What waits for you',
      items: waiting.map(({ key, title, project, label }, at) => ({
        value: String(at),
        label: `${label}: ${title}`,
        detail: `${key} in ${project}`,
      })),
      cancel: () => show(null),
      choose: ({ value }) => {
        const chosen = waiting[Number(value)];
        if (chosen !== undefined) answer(context, chosen);
      },
    }),
  );
}

function answer(context: CommandContext, { key, title, label, text, steps }: Waiting): void {
  const { show, print, world } = context;
  const possible = steps.filter(({ command }) => command.startsWith(PROGRAM));
  print([
    EMPTY_LINE,
    plainLine(`${key}  ${title}`, 'accent'),
    ...(text.trim() === '' ? [] : linesOf(text.trimEnd())),
    ...(possible.length > 0 ? [] : [plainLine('  Nothing can be answered here.', 'dim')]),
  ]);
  if (possible.length === 0) return show(null);
  show(
    createMenu({
      title: [plainLine(label, 'warn')],
      choices: possible.map((step, at) => ({
        key: String(at + 1),
        value: step.command,
        label: step.label,
        ...(gapsIn(step.command) === 1 ? { asks: { question: 'In your own words:' } } : {}),
      })),
      cancel: () => show(null),
      choose: ([command = ''], words) => {
        show(null);
        if (gapsIn(command) <= 1) return void carryOut(context, command, words);
        // Several answers in one command: the person writes them where they belong.
        world.editing = replaced(world.editing, `!${command}`);
      },
    }),
  );
}

async function carryOut({ loaded, print }: CommandContext, command: string, words: string): Promise<void> {
  const quoted = words.replaceAll("'", String.raw`'\''`);
  const line = command.slice(PROGRAM.length).replace(OWN_WORDS, () => quoted);
  const { output, exitCode } = await loaded.port.attractorLine(line);
  print(linesOf(output.trimEnd(), exitCode === 0 ? 'plain' : 'bad'));
}

function gapsIn(command: string): number {
  return command.split(OWN_WORDS).length - 1;
}

/** Null: it is not what the command prints. */
function waitingIn(output: string): ReadonlyArray<Waiting> | null {
  try {
    const value: unknown = JSON.parse(output);
    return isRecord(value) && Array.isArray(value['items']) ? value['items'].flatMap(waitingOf) : null;
  } catch {
    return null;
  }
}

function waitingOf(item: unknown): ReadonlyArray<Waiting> {
  if (!isRecord(item) || !isRecord(item['task']) || !isRecord(item['state'])) return [];
  const { task, state, project, text } = item;
  const steps = Array.isArray(state['steps']) ? state['steps'].filter(isRecord) : [];
  return [
    {
      key: String(task['key']),
      title: String(task['title']),
      project: String(project),
      label: String(state['label']),
      text: typeof text === 'string' ? text : '',
      steps: steps.map(({ label, command }) => ({ label: String(label), command: String(command) })),
    },
  ];
}
