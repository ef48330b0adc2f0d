import { promptText } from '@attractor/pipeline';
import { listProjects, type Prompt, type Store, type Task, tasksOfIds } from '@attractor/store';
import { readFacts } from './read-states.ts';
import type { StateFacts } from './state-facts.ts';
import type { TaskState } from './state-words.ts';
import { stateOf, stateOfQuestion } from './task-state.ts';
import { listWaitingTasks, type Scope } from './unsettled-tasks.ts';

/** Something that waits for a person, with all that is needed to answer it. */
export type InboxItem = {
  readonly task: Pick<Task, 'id' | 'key' | 'title' | 'status' | 'projectId'>;
  readonly project: string;
  readonly state: TaskState;
  /** Null if the task waits without a question: then its state says what for. */
  readonly prompt: Prompt | null;
  /** What is asked, in full: the plan, the questions, the options, the command, the cause of a failure. */
  readonly text: string;
  /** The branch with the work, if there is any. */
  readonly branch: string | null;
};

/** The longest wait first. `left` is how many more tasks wait than are shown. */
export type Inbox = { readonly items: ReadonlyArray<InboxItem>; readonly left: number };

export type InboxFilter = Scope & { readonly limit?: number };

const SHOWN = 50;

/** Everything that goes on only after a person has done something. */
export async function readInbox(store: Store, { limit = SHOWN, ...scope }: InboxFilter): Promise<Inbox> {
  const waiting = await listWaitingTasks(store, { ...scope, limit });
  if (waiting.count === 0) return { items: [], left: 0 };
  const shown = await tasksOfIds(store.read, waiting.ids);
  const projects = await listProjects(store.read);
  const names = new Map<string, string>(projects.map(({ id, name }) => [id, name]));
  const facts = await readFacts(store, shown, { depth: 'steps', known: waiting.known });
  return { items: facts.flatMap((one) => itemsOf(one, names)), left: waiting.count - shown.length };
}

/** One for each question; for a task without any, one for the task itself. */
function itemsOf(facts: StateFacts, names: ReadonlyMap<string, string>): ReadonlyArray<InboxItem> {
  const { id, key, title, status, projectId } = facts.task;
  const state = stateOf(facts);
  const about = {
    task: { id, key, title, status, projectId },
    project: names.get(projectId) ?? projectId,
    branch: facts.merge.branch,
  };
  if (facts.prompts.length === 0 || state.kind !== 'waiting')
    return [{ ...about, state, prompt: null, text: state.detail ?? '' }];
  return facts.prompts.map((prompt) => ({
    ...about,
    state: stateOfQuestion(state, prompt),
    prompt,
    text: promptText(prompt),
  }));
}
