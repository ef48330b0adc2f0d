import {
  type PipelineDefinition,
  type PlatformEvent,
  type PlatformWorkflow,
  type Prompt,
  RUN_STEPS,
  type Task,
} from '@attractor/platform';
import type { TaskState } from '@attractor/states';
import { isLastReview } from './last-review.ts';

/** What a front end does while it follows: show events, and answer the questions it can. */
export type FollowHandlers = {
  readonly show: (event: PlatformEvent) => void;
  /** Called once for each pending prompt, and once more after `again`. If it is left to someone else, following ends. */
  readonly ask: (prompt: Prompt) => Promise<'answered' | 'left' | 'again'>;
  /** Somebody pressed Ctrl-C: nothing is shown or asked until they have said what they want. */
  readonly interrupted?: () => Promise<void>;
};

type FollowedTask = {
  readonly taskId: string;
  readonly front: FollowHandlers;
  readonly signal: AbortSignal;
  /** The last review is asked here as well, once its run is over; otherwise it is for later. */
  readonly asksLast?: boolean;
  /** Called with what makes it look again. */
  readonly onWake?: (wake: () => void) => void;
};

/**
 * Follows one task from its first event until nothing more will happen by itself: no run is active, no job waits, and no prompt is open.
 * Each event is shown exactly once, in order of `seq`.
 */
export async function followTask(workflow: PlatformWorkflow, input: FollowedTask): Promise<Task | null> {
  const { taskId, front, signal, asksLast = false } = input;
  const asked = new Map<string, 'answered' | 'left'>();
  const walking = new Set<string>();
  const bell = createBell(signal);
  input.onWake?.(bell.ring);
  const pipeline = await pipelineOf(workflow, taskId);
  const isForLater = (prompt: Prompt): boolean => !asksLast && isLastReview(prompt, pipeline);
  const rest = watchRest(workflow, { taskId, pipeline, isForLater });
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
      if (!signal.aborted) await front.interrupted?.();
      if (events.length > 0) {
        rest.begin();
        continue;
      }
      const pending = await workflow.listPrompts({ taskId, status: 'pending' });
      const left = pending.some((prompt) => !isForLater(prompt) && asked.get(prompt.id) === 'left');
      if (signal.aborted || left || (walking.size === 0 && (await rest.isReached())))
        return await workflow.getTask(taskId);
      const due = pending.filter((prompt) => walking.size === 0 || !isLastReview(prompt, pipeline));
      if (await askEach(front, { pending: due, asked })) await bell.wait();
    }
  } finally {
    unsubscribe();
  }
}

/** False: somebody has to be asked again. */
async function askEach(
  front: FollowHandlers,
  { pending, asked }: { readonly pending: ReadonlyArray<Prompt>; readonly asked: Map<string, 'answered' | 'left'> },
): Promise<boolean> {
  for (const prompt of pending.filter(({ id }) => !asked.has(id))) {
    const how = await front.ask(prompt);
    if (how === 'again') return false;
    asked.set(prompt.id, how);
  }
  return true;
}

/** For its task a run is over when its outcome is known, but it continues until its last step is done. */
function keepCount(walking: Set<string>, event: PlatformEvent): void {
  if (event.runId === null) return;
  if (event.type === 'agent.started') walking.add(event.runId);
  if (event.type === 'run.step_finished' && event.data.step === RUN_STEPS.at(-1)) walking.delete(event.runId);
}

async function pipelineOf(workflow: PlatformWorkflow, taskId: string): Promise<PipelineDefinition | null> {
  const task = await workflow.getTask(taskId);
  return task === null ? null : workflow.getPipeline(task.pipelineId, task.pipelineVersion);
}

type Resting = {
  readonly taskId: string;
  readonly pipeline: PipelineDefinition | null;
  readonly isForLater: (prompt: Prompt) => boolean;
};

/** Something happens by itself, now or later. */
const MOVING: ReadonlySet<TaskState['kind']> = new Set<TaskState['kind']>(['queued', 'working', 'paused', 'subtasks']);
/** In a status for agents without one of them: others may have stopped it, or the next one is about to be started. */
const SETTLED_MS = 2_000;

/** The work waits for every prompt that is not for later. */
function watchRest(workflow: PlatformWorkflow, { taskId, pipeline, isForLater }: Resting) {
  let since = performance.now();
  return {
    begin: () => void (since = performance.now()),
    isReached: async (): Promise<boolean> => {
      const [running, prompts, task, [stated]] = await Promise.all([
        workflow.listRuns({ taskId, status: 'running' }),
        workflow.listPrompts({ taskId, status: 'pending' }),
        workflow.getTask(taskId),
        workflow.taskStates([taskId]),
      ]);
      if (task === null || stated === undefined) return true;
      if (running.length > 0 || prompts.some((prompt) => !isForLater(prompt))) return false;
      const category = pipeline?.statuses.find((status) => status.id === task.status)?.category;
      if (category !== 'active' && category !== 'backlog') return true;
      if (MOVING.has(stated.state.kind)) since = performance.now();
      return performance.now() - since >= SETTLED_MS;
    },
  };
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
