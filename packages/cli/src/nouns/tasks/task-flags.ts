import type { NewTaskBody, TaskEditBody } from '@attractor/server';
import type { Said } from '../fields.ts';
import type { Flag } from '../flag.ts';
import type { Call } from '../verb.ts';

export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
export const SIZES = ['xs', 's', 'm', 'l', 'xl'] as const;
export const COMPLEXITIES = ['low', 'medium', 'high'] as const;

const SHARED: ReadonlyArray<Flag> = [
  { flag: '--title <text>', about: 'in a sentence, what should be done' },
  { flag: '--description <text>', about: 'more about it' },
  { flag: '--pipeline <id>', about: 'the pipeline it walks' },
  { flag: '--priority <level>', about: 'how urgent', choices: PRIORITIES },
  { flag: '--size <size>', about: 'how much work', choices: SIZES },
  { flag: '--complexity <level>', about: 'how hard', choices: COMPLEXITIES },
  { flag: '--tag <name>', about: 'a tag', many: true },
  { flag: '--plan <text>', about: 'how it shall be done' },
  { flag: '--source-url <url>', about: 'where it came from' },
];

export const NEW_TASK_FLAGS: ReadonlyArray<Flag> = [
  ...SHARED,
  { flag: '--criterion <text>', about: 'what must hold in the end', many: true },
  { flag: '--parent <id>', about: 'the task it is a part of' },
  { flag: '--depends-on <id>', about: 'a task that must end first', many: true },
  { flag: '--template <name>', about: 'id or name; what is not said here is taken from it' },
  { flag: '--type <name>', about: "such as bug: chooses the pipeline by the project's settings" },
];

/** What a template may hold. */
export const TEMPLATE_FIELD_FLAGS: ReadonlyArray<Flag> = NEW_TASK_FLAGS.filter(({ flag }) =>
  /^--(title|description|pipeline|priority|size|complexity|tag|criterion) /.test(flag),
);

export const TASK_EDIT_FLAGS: ReadonlyArray<Flag> = [
  ...SHARED,
  { flag: '--parent <id>', about: 'the task it is a part of; "none" makes it stand alone' },
  { flag: '--version <n>', about: 'only if nobody changed it since this version', number: true },
];

export function newTaskFields({ flags }: Call): Said<NewTaskBody> {
  return {
    ...sharedFields(flags),
    plan: flags.text('plan'),
    sourceUrl: flags.text('sourceUrl'),
    acceptanceCriteria: flags.list('criterion'),
    parentTaskId: flags.text('parent'),
    dependsOn: flags.list('dependsOn'),
    template: flags.text('template'),
    taskType: flags.text('type'),
  };
}

export function taskEditFields({ flags }: Call): Said<TaskEditBody> {
  const parent = flags.text('parent');
  return {
    ...sharedFields(flags),
    plan: flags.text('plan'),
    sourceUrl: flags.text('sourceUrl'),
    parentTaskId: parent === 'none' ? null : parent,
    version: flags.number('version'),
  };
}

function sharedFields(flags: Call['flags']) {
  return {
    title: flags.text('title'),
    description: flags.text('description'),
    pipelineId: flags.text('pipeline'),
    priority: oneOf(PRIORITIES, flags.text('priority')),
    size: oneOf(SIZES, flags.text('size')),
    complexity: oneOf(COMPLEXITIES, flags.text('complexity')),
    tags: flags.list('tag'),
  };
}

/** Commander let only the choices through. */
function oneOf<Choice extends string>(choices: ReadonlyArray<Choice>, text: string | undefined): Choice | undefined {
  return choices.find((choice) => choice === text);
}
