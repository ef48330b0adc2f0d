import type { AgentFailure, TokenUsage } from '../agent.ts';
import type { Meaning } from '../translate/meaning.ts';
import type { RunTools } from '../run-tools/run-tools.ts';
import { addTokens, type Ending, NOTHING_USED } from './dialogue.ts';
import type { ProgramCall } from './run-program.ts';

/** What was heard from a program in one start. */
export type Hearing = {
  readonly heard: (told: Meaning) => void;
  readonly fail: (failure: AgentFailure) => void;
  readonly finish: () => void;
  readonly isOver: () => boolean;
  readonly finalText: () => string;
  readonly usage: () => TokenUsage;
  readonly failure: () => AgentFailure | null;
  /** A line that is no message of the program's language: shown, up to a bound. */
  readonly garbage: (line: string) => void;
};

const MAX_GARBAGE = 50;
const MAX_SHOWN = 16_000;

/** `onOver` is called once, when the turn has ended in whatever way. */
export function openHearing({ tell, live, keepSession }: ProgramCall, onOver: () => void): Hearing {
  let [finalText, usage, isOver, odd] = ['', NOTHING_USED, false, 0];
  let failure: AgentFailure | null = null;
  let session = '';
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    onOver();
  };
  return {
    heard: ({ messages, deltas = [], session: named, over }) => {
      if (named !== undefined && named !== session) keepSession((session = named));
      for (const delta of deltas) live(delta);
      for (const body of messages) {
        if (body.kind === 'text') finalText = body.text;
        if (body.kind === 'usage') usage = addTokens(usage, { ...body.usage, totalCost: body.costUsd });
        tell(body);
      }
      if (over === undefined) return;
      failure ??= over.failure;
      finish();
    },
    fail: (found) => {
      failure ??= found;
      finish();
    },
    finish,
    isOver: () => isOver,
    finalText: () => finalText.trim(),
    usage: () => usage,
    failure: () => failure,
    garbage: (line) => {
      odd += 1;
      if (odd <= MAX_GARBAGE) tell({ kind: 'notice', level: 'info', text: line.slice(0, MAX_SHOWN) });
    },
  };
}

/** How an exchange stands: what was heard, and what the run's own tools were told. */
export function endingOf(hearing: Hearing, tools: Pick<RunTools, 'report' | 'refused'>): Ending {
  return {
    finalText: hearing.finalText(),
    usage: hearing.usage(),
    isOver: hearing.isOver(),
    failure: hearing.failure(),
    report: tools.report(),
    refusedReport: tools.refused(),
  };
}

/** A program that says nothing at all speaks another language, or waits for somebody at a terminal. */
export function silenceFailure(name: string, { silenceMs }: Pick<ProgramCall, 'silenceMs'>): AgentFailure {
  return {
    code: 'no_answer',
    message: `${name} did not answer within ${silenceMs / 1_000} seconds of its start. Start it in a terminal to see whether it asks for something, and compare its version with "attractor agents".`,
    retryable: true,
  };
}
