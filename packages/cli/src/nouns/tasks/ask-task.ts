import { PRIORITIES, SIZES, TASK_FIELDS } from '@attractor/facts';
import { CommandFailure, EXIT, askText, choose, type Choice } from '@attractor/console';

/** Asks a person at the terminal for what a task needs. */
export async function askTask(known: {
  readonly title: string | undefined;
}): Promise<Readonly<Record<string, unknown>>> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CommandFailure('-i asks at a terminal, but this is not one: use flags, or JSON on stdin.', EXIT.usage);
  const title = made(
    await askText({
      message: 'What should be done?',
      initial: known.title,
      problem: (text) => (text.trim() === '' ? 'A task needs a title.' : undefined),
    }),
  );
  const description = made(await askText({ message: 'More about it (optional)' }));
  const priority = made(await choose('Priority', choices(PRIORITIES, TASK_FIELDS.priority.preset)));
  const size = made(await choose('Size', choices(SIZES, TASK_FIELDS.size.preset)));
  return { title, priority, size, ...(description === '' ? {} : { description }) };
}

function made<Value>(answer: Value | null): Value {
  if (answer === null) throw new CommandFailure('nothing was made.', EXIT.interrupted);
  return answer;
}

/** The usual one comes first. */
function choices(values: ReadonlyArray<string>, preset: string): ReadonlyArray<Choice<string>> {
  return [preset, ...values.filter((value) => value !== preset)].map((value) => ({ value, label: value }));
}
