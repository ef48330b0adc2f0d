import type { AgentRun, EventOf, PlatformEvent, RunStep } from '@attractor/platform';
import { STEPS } from '../run-steps.ts';

/** A step may start more than once: after a crash the run continues in it. */
export type StepState = {
  readonly step: RunStep;
  readonly state: 'pending' | 'running' | 'done' | 'failed' | 'skipped';
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly durationMs: number | null;
  readonly attempts: number;
};

export const NO_STEPS: ReadonlyArray<StepState> = STEPS.map((step) => ({
  step,
  state: 'pending',
  startedAt: null,
  finishedAt: null,
  durationMs: null,
  attempts: 0,
}));

/** The steps after one event; the same array if it is about no step. */
export function foldSteps(steps: ReadonlyArray<StepState>, event: PlatformEvent): ReadonlyArray<StepState> {
  if (event.type !== 'run.step_started' && event.type !== 'run.step_finished') return steps;
  const { step } = event.data;
  return steps.map((state) => (state.step === step ? changed(state, event) : state));
}

/** The last steps run after the run is closed: they move the task and clean up. */
const AFTER_CLOSE: ReadonlySet<RunStep> = new Set(['trigger', 'cleanup']);

/** The steps of a run for display: once it is closed, a step under way has failed. */
export function shownSteps(
  steps: ReadonlyArray<StepState>,
  run: Pick<AgentRun, 'status'> | null,
): ReadonlyArray<StepState> {
  if (run === null || run.status === 'running') return steps;
  const tidied = steps.at(-1)?.state === 'done';
  return steps.map((step) => (tidied || !AFTER_CLOSE.has(step.step) ? { ...step, state: ENDED[step.state] } : step));
}

const ENDED = { pending: 'skipped', running: 'failed', done: 'done', failed: 'failed', skipped: 'skipped' } as const;

/** The step under way, or the last one that began. */
export function currentStep(steps: ReadonlyArray<StepState>): RunStep | null {
  const running = steps.findLast((state) => state.state === 'running');
  return (running ?? steps.findLast((state) => state.startedAt !== null))?.step ?? null;
}

function changed(state: StepState, event: EventOf<'run.step_started' | 'run.step_finished'>): StepState {
  if (event.type === 'run.step_finished')
    return { ...state, state: stateOf(event), finishedAt: event.at, durationMs: durationOf(state, event) };
  return {
    ...state,
    state: 'running',
    startedAt: event.at,
    finishedAt: null,
    durationMs: null,
    attempts: state.attempts + 1,
  };
}

function stateOf(event: EventOf<'run.step_finished'>): StepState['state'] {
  if (event.data.skipped === true) return 'skipped';
  return event.level === 'error' || event.data.ok === false ? 'failed' : 'done';
}

function durationOf(state: StepState, event: EventOf<'run.step_finished'>): number | null {
  if (event.data.durationMs !== undefined) return event.data.durationMs;
  if (state.startedAt === null) return null;
  return Math.max(0, Date.parse(event.at) - Date.parse(state.startedAt));
}
