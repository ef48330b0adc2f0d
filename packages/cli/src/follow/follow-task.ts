import { type PlatformEvent, type Prompt, RUN_STEPS, type Task, type Workflow } from '@attractor/platform';

/** What a front end does while it follows: show events, and answer the questions it can. */
export type FollowHandlers = {
  readonly show: (event: PlatformEvent) => void;
  /** Called once for each pending prompt. If it is left to someone else, following ends. */
  readonly ask: (prompt: Prompt) => Promise<'answered' | 'left'>;
};

/**
 * Follows one task from its first event until nothing more will happen by itself: no run is active, no job waits, and no prompt is open.
 * Each event is shown exactly once, in order of `seq`.
 */
export async function followTask(
  workflow: Workflow,
  input: { readonly taskId: string; readonly front: FollowHandlers; readonly signal: AbortSignal },
): Promise<Task | null> {
  const { taskId, front, signal } = input;
  const asked = new Map<string, 'answered' | 'left'>();
  const walking = new Set<string>();
  const bell = createBell(signal);
  const unsubscribe = workflow.subscribe(bell.ring);
  let after = 0;
  try {
    for (;;) {
      const events = await workflow.events({ after, taskId, limit: 500 });
      for (const event of events) {
        front.show(event);
        keepCount(walking, event);
      }
      after = events.at(-1)?.seq ?? after;
      if (events.length > 0) continue;
      const pending = await workflow.listPrompts({ taskId, status: 'pending' });
      const left = pending.some(({ id, type }) => type !== 'review' && asked.get(id) === 'left');
      if (signal.aborted || left || (walking.size === 0 && (await isAtRest(workflow, taskId))))
        return await workflow.getTask(taskId);
      for (const prompt of pending.filter(({ id }) => !asked.has(id))) asked.set(prompt.id, await front.ask(prompt));
      await bell.wait();
    }
  } finally {
    unsubscribe();
  }
}

/** For its task a run is over when its outcome is known, but it continues until its last step is done. */
function keepCount(walking: Set<string>, event: PlatformEvent): void {
  if (event.runId === null) return;
  if (event.type === 'agent.started') walking.add(event.runId);
  if (event.type === 'run.step_finished' && event.data.step === RUN_STEPS.at(-1)) walking.delete(event.runId);
}

/** A prompt of a task at rest (a review) is for later; the work waits for one of a running agent or of a plan. */
async function isAtRest(workflow: Workflow, taskId: string): Promise<boolean> {
  const [running, prompts, task] = await Promise.all([
    workflow.listRuns({ taskId, status: 'running' }),
    workflow.listPrompts({ taskId, status: 'pending' }),
    workflow.getTask(taskId),
  ]);
  if (task === null) return true;
  if (running.length > 0 || prompts.some((prompt) => prompt.type !== 'review')) return false;
  const pipeline = await workflow.getPipeline(task.pipelineId, task.pipelineVersion);
  const category = pipeline?.statuses.find((status) => status.id === task.status)?.category;
  return category !== 'active' && category !== 'backlog';
}

type Bell = { readonly ring: () => void; readonly wait: () => Promise<void> };

/** A ring without a waiter is kept; a slow timer makes up for a lost one. */
function createBell(signal: AbortSignal): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  const ring = () => {
    rung = true;
    wake?.();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    wait: async () => {
      if (!rung) await new Promise<void>((resolve) => ((wake = resolve), setTimeout(resolve, TICK_MS)));
      rung = false;
      wake = undefined;
    },
  };
}

const TICK_MS = 500;
