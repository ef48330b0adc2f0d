import { createPicker } from '../prompts/picker.ts';
import { plainLine } from '../themes/line.ts';
import type { CommandContext } from './command.ts';

/** Commands that the agent left running: a list, and one of them is ended. */
export function background({ loaded, tell, print, show }: CommandContext): void {
  const all = loaded.conversing.session()?.background.list() ?? [];
  const running = all.filter(({ status }) => status === 'running');
  const ended = all.filter(({ status }) => status !== 'running');
  print(ended.map(({ id, command, status }) => plainLine(`  ${id} ${status}: ${oneLine(command)}`, 'dim')));
  if (running.length === 0) return tell('No command runs in the background.');
  show(
    createPicker({
      title: 'End a command that runs in the background',
      items: running.map(({ id, command, pid }) => ({
        value: id,
        label: oneLine(command),
        detail: `${id}, process ${pid}`,
      })),
      cancel: () => show(null),
      choose: ({ value, label }) => {
        show(null);
        void loaded.conversing
          .session()
          ?.background.end(value)
          .then((isEnded) => tell(isEnded ? `Ended: ${label}` : `${label} has ended.`));
      },
    }),
  );
}

function oneLine(command: string): string {
  return command.replaceAll(/\s+/g, ' ').trim();
}
