import { done } from '@attractor/base';
import type { Answer } from './failure.ts';

/** How an abbreviated id leads to the things it may mean. */
export type IdKind<Client> = {
  /** The part of such an id before the `_`. */
  readonly prefix: string;
  /** As in "several budgets begin with …". */
  readonly plural: string;
  /** All candidates for the prefix; extra ones do no harm. */
  readonly candidates: (client: Client, given: string) => Promise<Answer<ReadonlyArray<Candidate>>>;
};

export type Candidate = { readonly id: string; readonly name: string };

/** How many candidates are named if a prefix is ambiguous. */
export const CANDIDATES_SHOWN = 5;

/** The part of a client that an id kind uses: its own noun. */
export type Has<Noun extends string, Calls extends (...given: never[]) => object> = {
  readonly [Name in Noun]: ReturnType<Calls>;
};

type Row = { readonly id: string };
type Rows<Item> = Promise<Answer<ReadonlyArray<Item>>>;

export async function candidatesOf<Item extends Row>(
  rows: Rows<Item>,
  nameOf: (item: Item) => string,
): Rows<Candidate> {
  const answer = await rows;
  return answer.ok ? done(answer.value.map((item) => ({ id: item.id, name: nameOf(item) }))) : answer;
}

export type HasTasks = {
  readonly tasks: { readonly list: (query: { readonly before?: string; readonly limit: number }) => Rows<Row> };
};

const TASKS_AT_ONCE = 50;

/** Items that are only reachable through their task, task by task. A task deleted meanwhile has none. */
export async function candidatesOfTasks<Item extends Row>(
  { tasks }: HasTasks,
  { given, list, nameOf }: OfTasks<Item>,
): Rows<Candidate> {
  const found: Candidate[] = [];
  for (let page: { readonly before?: string } = {}; ;) {
    const answer = await tasks.list({ ...page, limit: TASKS_AT_ONCE });
    if (!answer.ok) return answer;
    const lists = await Promise.all(answer.value.map(({ id }) => candidatesOf(list(id), nameOf)));
    const items = lists.flatMap((items) => (items.ok ? items.value : []));
    found.push(...items.filter(({ id }) => id.startsWith(given)));
    const last = answer.value.at(-1);
    if (last === undefined || answer.value.length < TASKS_AT_ONCE) return done(found);
    page = { before: last.id };
  }
}

type OfTasks<Item> = {
  readonly given: string;
  readonly list: (taskId: string) => Rows<Item>;
  readonly nameOf: (item: Item) => string;
};
