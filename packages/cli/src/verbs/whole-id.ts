import { defined } from '@attractor/base';
import type { Answer, ApiClient } from '@attractor/api';
import { CommandFailure, EXIT } from '../exit.ts';
import { readableText } from '../terminal/escape.ts';
import { valueOf } from './value-of.ts';

/**
 * The whole id for the beginning of one, whatever it is the id of. What is whole, of no kind that is known here, or the beginning of
 * none comes back as it was: whoever is asked for it says that it is not there. The beginning of several stops the command.
 */
export async function wholeId(client: ApiClient, given: string): Promise<string> {
  const kind = KINDS[SHORT.exec(given)?.[1] ?? ''];
  if (kind === undefined) return given;
  const found = (await kind.list(client, given)).filter(({ id }) => id.startsWith(given));
  if (found.some(({ id }) => id === given)) return given;
  const [first, second] = found;
  if (second === undefined) return first?.id ?? given;
  throw new CommandFailure(severalText(given, { found, plural: kind.plural }), EXIT.refused);
}

/** A kind and some of the 27 characters that follow it, but not all. They begin with the time, and that with 0 for ages to come. */
const SHORT = /^([a-z]{3})_0[0-9a-z]{0,25}$/;

type Candidate = { readonly id: string; readonly name: string };

type Kind = {
  readonly plural: string;
  /** All that the id may be the beginning of; more do no harm. */
  readonly list: (client: ApiClient, given: string) => Promise<ReadonlyArray<Candidate>>;
};

/** By what ids of the kind begin with. */
const KINDS: Readonly<Record<string, Kind>> = {
  tsk: { plural: 'tasks', list: tasksFrom },
  run: {
    plural: 'runs',
    list: all(
      ({ runs }) => runs.list(),
      ({ mode, status }) => `${mode}, ${status}`,
    ),
  },
  prm: {
    plural: 'questions',
    list: all(
      ({ prompts }) => prompts.list(),
      ({ title }) => title,
    ),
  },
  prj: {
    plural: 'projects',
    list: all(
      ({ projects }) => projects.list(),
      ({ name }) => name,
    ),
  },
  sch: {
    plural: 'schedules',
    list: all(
      ({ schedules }) => schedules.list(),
      ({ name }) => name,
    ),
  },
  tpl: {
    plural: 'templates',
    list: all(
      ({ templates }) => templates.list(),
      ({ name }) => name,
    ),
  },
  bud: {
    plural: 'budgets',
    list: all(
      ({ budgets }) => budgets.list(),
      ({ scope, period }) => `${scope}, ${period}`,
    ),
  },
  art: {
    plural: 'artifacts',
    list: ofTasks(
      ({ artifacts }, id) => artifacts.list(id),
      ({ label }) => label,
    ),
  },
  att: {
    plural: 'attachments',
    list: ofTasks(
      ({ attachments }, id) => attachments.list(id),
      ({ name }) => name,
    ),
  },
  atg: {
    plural: 'attempts',
    list: ofTasks(
      ({ attempts }, id) => attempts.list(id),
      ({ status }) => status,
    ),
  },
  pha: {
    plural: 'phases',
    list: ofTasks(
      ({ tasks }, id) => tasks.phases(id),
      ({ name }) => name,
    ),
  },
};

const SHOWN = 5;

/** Ids are in the order of time: those that begin alike stand together, just below what sorts after all of them. */
async function tasksFrom(client: ApiClient, given: string): Promise<ReadonlyArray<Candidate>> {
  const tasks = valueOf(await client.tasks.list({ before: `${given}${'z'.repeat(28)}`, limit: SHOWN + 1 }));
  return tasks.map(({ id, title }) => ({ id, name: title }));
}

type Row = { readonly id: string };

function all<Item extends Row>(
  list: (client: ApiClient) => Promise<Answer<ReadonlyArray<Item>>>,
  nameOf: (item: Item) => string,
): Kind['list'] {
  return async (client) => valueOf(await list(client)).map((item) => ({ id: item.id, name: nameOf(item) }));
}

const TASKS_AT_ONCE = 50;

/** What is known only by its task, task by task. One that is forgotten meanwhile has nothing. */
function ofTasks<Item extends Row>(
  list: (client: ApiClient, taskId: string) => Promise<Answer<ReadonlyArray<Item>>>,
  nameOf: (item: Item) => string,
): Kind['list'] {
  return async (client, given) => {
    const found: Candidate[] = [];
    for (let before: string | undefined; ;) {
      const page = defined({ before });
      const tasks = valueOf(await client.tasks.list({ ...page, limit: TASKS_AT_ONCE }));
      const answers = await Promise.all(tasks.map(({ id }) => list(client, id)));
      const items = answers.flatMap((answer) => (answer.ok ? answer.value : []));
      found.push(
        ...items.filter(({ id }) => id.startsWith(given)).map((item) => ({ id: item.id, name: nameOf(item) })),
      );
      before = tasks.at(-1)?.id;
      if (tasks.length < TASKS_AT_ONCE) return found;
    }
  };
}

function severalText(
  given: string,
  { found, plural }: { readonly found: ReadonlyArray<Candidate>; readonly plural: string },
): string {
  const shown = found.slice(0, SHOWN).map(({ id, name }) => `${id} (${oneLine(name)})`);
  const more = found.length > SHOWN ? ' and more' : '';
  return `several ${plural} begin with ${given}: ${shown.join(', ')}${more}. Give more of the id.`;
}

const LONGEST_NAME = 60;

function oneLine(name: string): string {
  const text = readableText(name).replaceAll(/\s+/g, ' ');
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text;
}
