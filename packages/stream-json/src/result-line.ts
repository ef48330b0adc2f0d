import { defined } from '@attractor/base';
import { newUuid } from '@attractor/base/id';
import type { Line } from './event-lines.ts';
import { modelUsageOf, stopReasonOf, usageOf } from './messages-shape.ts';
import type { Tally } from './tally.ts';

/** How a headless run ended. `cancelled`: the program that drives it stopped one prompt, and the run went on. */
export type HeadlessEnding =
  | 'done'
  | 'max_turns'
  | 'max_budget'
  | 'structured_output'
  | 'failed'
  | 'interrupted'
  | 'cancelled';

const SUBTYPES: Readonly<Record<HeadlessEnding, string>> = {
  done: 'success',
  max_turns: 'error_max_turns',
  max_budget: 'error_max_budget_usd',
  structured_output: 'error_max_structured_output_retries',
  failed: 'error_during_execution',
  interrupted: 'error_during_execution',
  cancelled: 'error_during_execution',
};

export type HeadlessResult = {
  readonly ending: HeadlessEnding;
  /** Null: the run ended before it had a session. */
  readonly sessionId: string | null;
  readonly tally: Tally;
  readonly durationMs: number;
  /** Time spent waiting for answers of models. */
  readonly apiMs: number;
  readonly message?: string;
  /** The result of a run in plan mode; absent or null: no plan was presented. */
  readonly plan?: string | null;
  readonly structuredOutput?: unknown;
};

/** The last line of every run, however it ended. */
export function resultLine(ended: HeadlessResult): Line {
  const { ending, tally } = ended;
  const text = ended.message ?? tally.error?.message ?? tally.text;
  return {
    type: 'result',
    subtype: SUBTYPES[ending],
    // Whoever stops a prompt gets what they wanted.
    is_error: ending !== 'done' && ending !== 'cancelled',
    result: ending === 'done' ? (ended.plan ?? tally.text) : text,
    ...(ending === 'done' ? {} : { errors: [text] }),
    session_id: ended.sessionId,
    num_turns: tally.turns,
    duration_ms: Math.round(ended.durationMs),
    duration_api_ms: Math.round(ended.apiMs),
    total_cost_usd: tally.costUsd,
    usage: usageOf(tally.usage),
    modelUsage: modelUsages(tally),
    permission_denials: tally.denials,
    stop_reason: ending === 'done' || tally.lack !== null ? stopReasonOf(tally.last) : null,
    terminal_reason: terminalReason(ended),
    ...defined({ structured_output: ended.structuredOutput }),
    uuid: newUuid(),
  };
}

/** In the words of the Claude Agent SDK. */
function terminalReason({ ending, sessionId, tally: { last, isRefused } }: HeadlessResult): string {
  if (ending === 'failed' && isRefused) return 'hook_stopped';
  if (ending === 'failed') return sessionId === null ? 'turn_setup_failed' : 'model_error';
  if (ending !== 'interrupted' && ending !== 'cancelled') return REASONS[ending];
  return stopReasonOf(last) === 'tool_use' ? 'aborted_tools' : 'aborted_streaming';
}

const REASONS: Readonly<Record<Exclude<HeadlessEnding, 'failed' | 'interrupted' | 'cancelled'>, string>> = {
  done: 'completed',
  max_turns: 'max_turns',
  max_budget: 'budget_exhausted',
  structured_output: 'structured_output_retry_exhausted',
};

export function modelUsages({ byModel }: Pick<Tally, 'byModel'>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(byModel).map(([model, used]) => [model, modelUsageOf(model, used)]));
}
