import type { AgentSession, SessionInput } from '@attractor/agent';
import { defined } from '@attractor/base';
import { CommandFailure, EXIT } from '../exit.ts';
import type { HeadlessInput } from './headless-input.ts';
import type { PresentedPlan } from './presented-plan.ts';
import type { Listening } from './listening.ts';
import { type HeadlessResult, type HeadlessEnding, resultLine } from '@attractor/stream-json';
import type { StructuredOutput } from './structured-output.ts';
import type { UserInput } from './read-user-line.ts';
import type { SessionWatch } from './watch.ts';

export type Conversation = {
  readonly session: AgentSession;
  readonly input: HeadlessInput;
  readonly watch: SessionWatch;
  readonly structured: StructuredOutput | null;
  readonly plan: PresentedPlan;
  readonly time: { readonly started: number; readonly apiMs: () => number };
  readonly listening: Listening;
};

/** How the last prompt with a result line ended, and what was then wrong with the next one. `isIdle`: there was no prompt. */
type Conversed = {
  readonly told: HeadlessEnding | null;
  readonly failure: CommandFailure | null;
  readonly isIdle: boolean;
};

export async function answerInputs(talk: Conversation): Promise<Conversed> {
  const { session, input, watch } = talk;
  // A sender of several prompts on open pipes waits for the end of each.
  const tellsEach = input.flags.inputFormat === 'stream-json' && input.flags.outputFormat === 'stream-json';
  let told: HeadlessEnding | null = null;
  let isIdle = true;
  try {
    if (!input.place.isNew) await session.resume();
    for await (const prompt of input.prompts(talk.listening)) {
      if (session.state() === 'CLOSED') break;
      told = null;
      isIdle = false;
      await answerInput(talk, prompt);
      if (tellsEach) {
        await watch.caughtUp();
        told = endingOf(talk);
        input.write(resultLine(endedAs(talk, told, null)));
      }
      if (session.state() === 'CLOSED') break;
    }
    await watch.caughtUp();
    if (isIdle && watch.tally().turns === 0 && endingOf(talk) === 'done') throw nothingLeft();
    return { told, failure: null, isIdle };
  } catch (error) {
    if (error instanceof CommandFailure) return { told: null, failure: error, isIdle };
    throw error;
  }
}

function nothingLeft(): CommandFailure {
  return new CommandFailure(
    'Nothing of this session was left unfinished: give a prompt to go on with it.',
    EXIT.refused,
  );
}

async function answerInput({ session, plan, structured }: Conversation, prompt: UserInput): Promise<void> {
  plan.forget();
  structured?.forget();
  await session.send(inputOf(prompt));
  if (structured !== null) await insist(session, structured);
}

function inputOf({ text, images }: UserInput): SessionInput {
  if (images.length === 0 && text !== '') return text;
  return [...(text === '' ? [] : [{ kind: 'TEXT', text } as const]), ...images];
}

export function endingOf({ session, watch, structured, listening }: Conversation): HeadlessEnding {
  if (listening.signal.aborted) return 'interrupted';
  if (watch.overBudget()) return 'max_budget';
  if (session.error() !== null || session.state() === 'CLOSED' || watch.tally().isRefused) return 'failed';
  if (watch.tally().limit !== null) return 'max_turns';
  return structured !== null && structured.value() === undefined ? 'structured_output' : 'done';
}

const REMINDERS = 3;

/** Asks for the value again if the model ended without giving one. */
async function insist(session: AgentSession, structured: StructuredOutput): Promise<void> {
  for (let reminders = 0; reminders < REMINDERS; reminders += 1) {
    if (structured.value() !== undefined || session.state() === 'CLOSED') return;
    await session.send(structured.reminder);
  }
}

export function endedAs(
  { session, watch, structured, plan, time }: Conversation,
  ending: HeadlessEnding,
  failure: CommandFailure | null,
): HeadlessResult {
  // If the journal failed there is no event that says so.
  const message = failure?.message ?? MESSAGES[ending] ?? (ending === 'failed' ? session.error()?.message : undefined);
  return {
    ending,
    sessionId: session.id,
    tally: watch.tally(),
    durationMs: performance.now() - time.started,
    apiMs: time.apiMs(),
    plan: plan.text(),
    ...(structured?.value() === undefined ? {} : { structuredOutput: structured.value() }),
    ...defined({ message }),
  };
}

const MESSAGES: Readonly<Partial<Record<HeadlessEnding, string>>> = {
  max_turns: 'Stopped: the limit of turns is reached. Go on with --resume, or raise --max-turns.',
  max_budget: 'Stopped: the budget is spent. Go on with --resume, or raise --max-budget-usd.',
  structured_output: 'The model gave no answer that fits the schema.',
  interrupted: 'Interrupted. Go on with --resume.',
};
