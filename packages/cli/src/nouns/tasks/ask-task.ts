import { defined } from '@attractor/base';
import { CommandFailure, EXIT } from '../../exit.ts';
import { PRIORITIES, SIZES } from './task-flags.ts';

/** Asks a person at the terminal for what a task needs. */
export async function askTask(known: {
  readonly title: string | undefined;
}): Promise<Readonly<Record<string, unknown>>> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CommandFailure('-i asks at a terminal, and this is none: use flags, or JSON on stdin.', EXIT.usage);
  const { group, select, text } = await import('@clack/prompts');
  const choices = (values: ReadonlyArray<string>) => values.map((value) => ({ value, label: value }));
  const given = await group(
    {
      title: () =>
        text({
          message: 'What should be done?',
          ...defined({ initialValue: known.title }),
          validate: (value) => ((value ?? '').trim() === '' ? 'A task needs a title.' : undefined),
        }),
      description: () => text({ message: 'More about it (optional)' }),
      priority: () => select({ message: 'Priority', options: choices(PRIORITIES), initialValue: 'medium' }),
      size: () => select({ message: 'Size', options: choices(SIZES), initialValue: 'm' }),
    },
    {
      onCancel: () => {
        throw new CommandFailure('nothing was made.', EXIT.interrupted);
      },
    },
  );
  const { title, description, priority, size } = given;
  return { title, priority, size, ...(description === undefined || description === '' ? {} : { description }) };
}
