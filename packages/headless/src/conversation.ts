import type { AgentSession, SessionInput } from '@attractor/agent';
import { defined } from '@attractor/base';
import { newUuid } from '@attractor/base/id';
import { type HeadlessResult, type HeadlessEnding, type Line, resultLine } from '@attractor/stream-json';
import type { HeadlessInput } from './headless-input.ts';
import { InputProblem, noInput } from './input/input-problem.ts';
import { ownAnswer, ownLine, type AnswerWorld } from './own-answers.ts';
import type { UserInput } from './input/read-user-line.ts';
import type { PresentedPlan } from './presented-plan.ts';
import type { SideTexts } from './side-texts.ts';
import type { StructuredOutput } from './structured-output.ts';
import type { SessionWatch } from './watch.ts';

export type Conversation = {
  readonly session: AgentSession;
  readonly input: HeadlessInput;
  readonly watch: SessionWatch;
  readonly structured: StructuredOutput | null;
  readonly plan: PresentedPlan;
  readonly time: { readonly started: number; readonly apiMs: () => number };
  /** Stops the prompt under way; the next one is answered as usual. */
  readonly cancelling: Cancelling;
  readonly beside: Pick<SideTexts, 'suggest' | 'forget'>;
};

export type Cancelling = {
  readonly cancel: () => void;
  readonly isCancelled: () => boolean;
  /** Another prompt begins. */
  readonly forget: () => void;
};

export function createCancelling(session: () => AgentSession | null, which?: 'awaited'): Cancelling {
  let isCancelled = false;
  return {
    cancel: () => {
      if (session()?.state() === 'IDLE') return;
      isCancelled = true;
      void session()?.cancel(which);
    },
    isCancelled: () => isCancelled,
    forget: () => {
      isCancelled = false;
    },
  };
}

/** How the last prompt with a result line ended, and what was then wrong with the next one. `isIdle`: there was no prompt. */
type Conversed = {
  readonly told: HeadlessEnding | null;
  readonly failure: InputProblem | null;
  readonly isIdle: boolean;
  /** No model was asked for anything. */
  readonly isSilent: boolean;
  /** Another conversation is asked for. */
  readonly isCleared: boolean;
};

export async function answerInputs(talk: Conversation, isAfterClear: boolean): Promise<Conversed> {
  const { session, input } = talk;
  // A sender of several prompts on open pipes waits for the end of each.
  const tellsEach = input.flags.inputFormat === 'stream-json' && input.flags.outputFormat === 'stream-json';
  const state = { told: null as HeadlessEnding | null, isIdle: !isAfterClear, isSilent: true };
  let empty: InputProblem | null = null;
  const ended = { failure: null, isCleared: false };
  try {
    if (input.flags.initOnly === true) return { ...(await callHooksOfStart(talk)), isSilent: true, isCleared: false };
    if (isAfterClear && tellsEach) state.told = await tell(talk);
    if (!input.place.isNew) await session.resume();
    for (let prompt = await input.inputs.next(); prompt !== null; prompt = await input.inputs.next()) {
      if (session.state() === 'CLOSED') break;
      talk.beside.forget();
      if (prompt.problem !== undefined && (input.place.isNew || !tellsEach)) throw prompt.problem;
      empty = prompt.problem ?? null;
      if (empty !== null) {
        // Said in an earlier session it only opens the pipes: what is requested there is still done.
        state.told = 'failed';
        input.write(resultLine(endedAs(talk, state.told, empty)));
        continue;
      }
      state.told = null;
      state.isIdle = false;
      const answered = await answerNamed(talk, prompt);
      if (answered === 'clear') return { ...state, ...ended, isCleared: true };
      if (answered === 'model') state.isSilent = false;
      if (tellsEach) state.told = await tell(talk);
      if (session.state() === 'CLOSED') break;
      if (tellsEach && state.told === 'done' && answered === 'model') talk.beside.suggest();
    }
    await talk.watch.caughtUp();
    if (state.isIdle && empty === null && !input.signal.aborted) refuseIdle(talk);
    return { ...state, ...ended, failure: empty };
  } catch (error) {
    if (error instanceof InputProblem) return { ...state, ...ended, told: null, failure: error };
    throw error;
  }
}

async function tell(talk: Conversation): Promise<HeadlessEnding> {
  await talk.watch.caughtUp();
  const ending = endingOf(talk);
  talk.input.write(resultLine(endedAs(talk, ending, null)));
  return ending;
}

/** Who answered: the model, or nobody but this program. `clear`: the next conversation will. */
async function answerNamed(talk: Conversation, prompt: UserInput): Promise<'model' | 'nobody' | 'clear'> {
  const { session, input, watch } = talk;
  const isReplayed = input.flags.replayUserMessages === true;
  const named = prompt.id === undefined && isReplayed ? { ...prompt, id: newUuid() } : prompt;
  watch.expectInput();
  if (isReplayed) input.write(replayOf(session, named));
  const local = ownAnswer(named, answerWorld(talk));
  if (local === null || (local.kind === 'compact' && session.history().length > 0)) {
    await answerInput(talk, named);
    return 'model';
  }
  if (local.kind === 'clear') return 'clear';
  const text = local.kind === 'says' ? local.text : 'There is nothing to compact.';
  watch.answerWith(text);
  input.write(ownLine(session, text));
  return 'nobody';
}

function answerWorld({ session, watch, time }: Conversation): AnswerWorld {
  const durationMs = performance.now() - time.started;
  return { session, tally: watch.tally(), apiMs: time.apiMs(), durationMs, lines: watch.lines() };
}

/** As a checkout is prepared: no model is asked, and the session is not kept. */
async function callHooksOfStart({
  session,
  input,
  watch,
}: Conversation): Promise<Omit<Conversed, 'isSilent' | 'isCleared'>> {
  await session.fireHook('Setup', { trigger: 'init' });
  await session.fireHook('SessionStart', { source: input.place.isNew ? 'startup' : 'resume', model: session.model });
  await watch.caughtUp();
  return { told: 'done', failure: null, isIdle: true };
}

function replayOf({ id: session }: AgentSession, { text, id: uuid }: UserInput): Line {
  const message = { role: 'user', content: text };
  return { type: 'user', message, parent_tool_use_id: null, session_id: session, uuid, isReplay: true };
}

/** A run without a prompt has something to do only in a session that was left unfinished. */
function refuseIdle(talk: Conversation): void {
  if (talk.input.place.isNew) throw noInput();
  if (talk.watch.tally().turns === 0 && endingOf(talk) === 'done')
    throw new InputProblem('Nothing in this session was left unfinished: give a prompt to continue it.', 'refused');
}

async function answerInput({ session, plan, structured, cancelling }: Conversation, prompt: UserInput): Promise<void> {
  plan.forget();
  structured?.forget();
  cancelling.forget();
  const about = defined({ key: prompt.id });
  if (prompt.isVerbatim === true) await session.submit(inputOf(prompt), about);
  else await session.send(inputOf(prompt), about);
  if (structured === null) return;
  await structured.take(lastText(session));
  await insist({ session, structured, cancelling });
}

function lastText(session: AgentSession): string {
  const last = session.history().findLast((turn) => turn.kind === 'assistant');
  return (last?.content ?? []).map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
}

function inputOf({ text, images }: UserInput): SessionInput {
  if (images.length === 0 && text !== '') return text;
  return [...(text === '' ? [] : [{ kind: 'TEXT', text } as const]), ...images];
}

export function endingOf({ session, watch, structured, input, cancelling }: Conversation): HeadlessEnding {
  if (input.signal.aborted) return 'interrupted';
  if (cancelling.isCancelled()) return 'cancelled';
  if (watch.overBudget()) return 'max_budget';
  if (session.error() !== null || session.state() === 'CLOSED' || watch.tally().isRefused) return 'failed';
  if (watch.tally().limit !== null) return 'max_turns';
  if (watch.tally().lack !== null && structured?.value() === undefined) return 'failed';
  return structured !== null && structured.value() === undefined ? 'structured_output' : 'done';
}

const REMINDERS = 3;

type Insisting = Pick<Conversation, 'session' | 'cancelling'> & { readonly structured: StructuredOutput };

/** Asks for the value again if the model ended without giving one. */
async function insist({ session, structured, cancelling }: Insisting): Promise<void> {
  for (let reminders = 0; reminders < REMINDERS; reminders += 1) {
    if (structured.value() !== undefined || session.state() === 'CLOSED' || cancelling.isCancelled()) return;
    await session.send(structured.reminder);
    await structured.take(lastText(session));
  }
}

export function endedAs(
  { session, watch, structured, plan, time }: Conversation,
  ending: HeadlessEnding,
  failure: InputProblem | null,
): HeadlessResult {
  // If the journal failed there is no event that says so.
  const message = failure?.message ?? MESSAGES[ending] ?? (ending === 'failed' ? failureOf(session, watch) : undefined);
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

function failureOf(session: AgentSession, watch: SessionWatch): string | undefined {
  const { error, lack } = watch.tally();
  return session.error()?.message ?? (error === null ? (lack ?? undefined) : undefined);
}

const MESSAGES: Readonly<Partial<Record<HeadlessEnding, string>>> = {
  max_turns: 'Stopped: the limit of turns is reached. Continue with --resume, or raise --max-turns.',
  max_budget: 'Stopped: the budget is spent. Continue with --resume, or raise --max-budget-usd.',
  structured_output: 'The model gave no answer that fits the schema.',
  interrupted: 'Interrupted. Continue with --resume.',
  cancelled: 'Interrupted: this prompt was stopped, and the session continues with the next one.',
};
