import type { AgentRun, CheckResult, PlatformEvent } from '@attractor/platform';
import type { TranscriptMessage } from '../messages.ts';
import { carriedCheck, carriedMessage, carriedRun } from './carried.ts';
import { addSpent, NOTHING_SPENT, spentByMessage, spentByRun, type Spent } from './cost.ts';
import { defineFold } from './fold.ts';
import { foldSteps, NO_STEPS, type StepState } from './steps.ts';
import { addMessage, type TranscriptTurn } from './transcript.ts';

/** One run as a person watches it. Events of other runs are ignored. */
export type RunView = {
  readonly seq: number;
  readonly runId: string;
  readonly run: AgentRun | null;
  readonly steps: ReadonlyArray<StepState>;
  readonly turns: ReadonlyArray<TranscriptTurn>;
  /** The latest result of each check on each side. */
  readonly checks: ReadonlyArray<CheckResult>;
  readonly spent: Spent;
  /** Keys of the messages already shown; a repeated message is ignored. */
  readonly told: Readonly<Record<string, true>>;
};

export function emptyRunView(runId: string): RunView {
  return { seq: 0, runId, run: null, steps: NO_STEPS, turns: [], checks: [], spent: NOTHING_SPENT, told: {} };
}

type Draft = {
  -readonly [Name in keyof RunView]: RunView[Name];
} & { turns: TranscriptTurn[]; told: Record<string, true> };

export const runView = defineFold<RunView, Draft>(
  (view) => ({ ...view, turns: [...view.turns], told: { ...view.told } }),
  (draft, event) => {
    const run = carriedRun(event);
    if (event.runId !== draft.runId && run?.id !== draft.runId) return;
    draft.steps = foldSteps(draft.steps, event);
    if (run !== null && run.id === draft.runId) takeRun(draft, run);
    const check = carriedCheck(event);
    if (check !== null) draft.checks = withCheck(draft.checks, check);
    const message = carriedMessage(event);
    if (message !== null && draft.told[message.key] === undefined) takeMessage(draft, message, event);
  },
);

function takeRun(draft: Draft, run: AgentRun): void {
  draft.run = run;
  for (const check of run.checks ?? []) draft.checks = withCheck(draft.checks, check);
  if (run.status === 'running') return;
  draft.spent = spentByRun(run) ?? draft.spent;
}

function takeMessage(draft: Draft, message: TranscriptMessage, event: PlatformEvent): void {
  draft.told[message.key] = true;
  addMessage(draft.turns, message, event.at);
  if (message.kind === 'usage') draft.spent = addSpent(draft.spent, spentByMessage(message));
}

function withCheck(checks: ReadonlyArray<CheckResult>, check: CheckResult): ReadonlyArray<CheckResult> {
  const same = (other: CheckResult) => other.name === check.name && other.phase === check.phase;
  return checks.some(same) ? checks.map((other) => (same(other) ? check : other)) : [...checks, check];
}
