import { defined } from '@attractor/base';
import { PRIORITIES, SIZES, TASK_FIELDS } from '@attractor/facts';
import { CommandFailure, EXIT } from '../../exit.ts';

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
      priority: () =>
        select({ message: 'Priority', options: choices(PRIORITIES), initialValue: TASK_FIELDS.priority.preset }),
      size: () => select({ message: 'Size', options: choices(SIZES), initialValue: TASK_FIELDS.size.preset }),
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
