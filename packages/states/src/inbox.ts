import { promptText } from '@attractor/pipeline';
import {
  listProjects,
  openPrompts,
  type Prompt,
  type Store,
  type Task,
  tasksOfIds,
  workArtifacts,
} from '@attractor/store';
import { readStates, type StatedTask } from './read-states.ts';
import type { TaskState } from './state-words.ts';
import { stateOfQuestion } from './task-state.ts';
import { listAskedTasks, listUnsettledTasks } from './unsettled-tasks.ts';

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

export type InboxFilter = {
  readonly projectId?: string;
  readonly projectIds?: ReadonlyArray<string>;
  readonly taskId?: string;
  readonly limit?: number;
};

const SHOWN = 50;

/** Everything that goes on only after a person has done something. */
export async function readInbox(store: Store, { limit = SHOWN, ...scope }: InboxFilter): Promise<Inbox> {
  const asked = await listAskedTasks(store.read, { ...scope, limit });
  const stated = await readStates(store, await listUnsettledTasks(store.read, scope), { depth: 'kinds' });
  const others = stated.flatMap(({ task, state }) => (state.needsPerson ? [{ id: task.id, since: state.since }] : []));
  const waiting = [...asked.oldest, ...others].toSorted((a, b) => (a.since < b.since ? -1 : 1)).slice(0, limit);
  const shown = await tasksOfIds(
    store.read,
    waiting.map(({ id }) => id),
  );
  const look = await lookAt(store, shown);
  const items = await readStates(store, shown, { depth: 'steps' });
  return { items: items.flatMap((one) => itemsOf(one, look)), left: asked.count + others.length - shown.length };
}

async function lookAt(store: Store, tasks: ReadonlyArray<Task>) {
  const ids = tasks.map(({ id }) => id);
  const projects = await listProjects(store.read);
  return {
    names: new Map<string, string>(projects.map(({ id, name }) => [id, name])),
    prompts: await openPrompts(store.read, ids),
    artifacts: await workArtifacts(store.read, ids),
  };
}

/** One for each question; for a task without any, one for the task itself. */
function itemsOf({ task, state }: StatedTask, look: Awaited<ReturnType<typeof lookAt>>): ReadonlyArray<InboxItem> {
  const { id, key, title, status, projectId } = task;
  const branch = look.artifacts.get(id)?.findLast(({ type }) => type === 'branch')?.label ?? null;
  const about = {
    task: { id, key, title, status, projectId },
    project: look.names.get(projectId) ?? projectId,
    branch,
  };
  const prompts = look.prompts.get(id) ?? [];
  if (prompts.length === 0 || state.kind !== 'waiting')
    return [{ ...about, state, prompt: null, text: state.detail ?? '' }];
  return prompts.map((prompt) => ({
    ...about,
    state: stateOfQuestion(state, prompt),
    prompt,
    text: promptText(prompt),
  }));
}
