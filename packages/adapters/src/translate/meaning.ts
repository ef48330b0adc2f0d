import type { AgentDelta, AgentFailure, AgentMessageBody } from '../agent.ts';

/** What one line of a program means to us. A line may mean nothing. */
export type Meaning = {
  readonly messages: ReadonlyArray<AgentMessageBody>;
  readonly deltas?: ReadonlyArray<AgentDelta>;
  /** The program's own name of its conversation. */
  readonly session?: string;
  /** The turn is over: with this failure, or well. */
  readonly over?: { readonly failure: AgentFailure | null };
};

/** Carries on from line to line: which tool a call was for, what was said, what was counted. */
export type Translation<State> = { readonly state: State; readonly told: Meaning };

export const NOTHING: Meaning = { messages: [] };

const MAX_SHOWN = 2_000;

/** A kind of line that this version does not know is shown as it is: newer programs say new things. */
export function unknownKind(program: string, kind: string, line: unknown): Meaning {
  const text = `${program} sent "${kind}", which this version does not know: ${JSON.stringify(line).slice(0, MAX_SHOWN)}`;
  return { messages: [{ kind: 'notice', level: 'info', text }] };
}

export function notice(level: 'info' | 'warning' | 'error', text: string): AgentMessageBody {
  return { kind: 'notice', level, text };
}

export function textAt(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function countAt(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : 0;
}
