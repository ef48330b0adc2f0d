import { defined, once } from '@attractor/base';
import { getModelInfo, modelNamed } from '@attractor/llm';
import type { SubmitAbout } from '../contract/session.ts';
import type { SessionConfig, SessionEvent } from '../types/index.ts';
import { ask } from './ask.ts';
import { runSessionCommand } from './session-commands.ts';
import { configured } from './hooked-model.ts';
import { acceptInput, type ArrivingInput, continuesByHook } from './hooked-input.ts';
import { watchForLoops } from './loop-detection.ts';
import type { Run } from './run.ts';
import { startHeld } from './start-held.ts';
import { openCalls, type SessionView } from '../conversation/view.ts';

export type UserInput = Omit<ArrivingInput, 'called'> & Pick<SubmitAbout, 'called'>;

/**
 * Processes one input: absorbs steering, asks the model and acts on its calls, until it answers without any. Every event is recorded before
 * the generator continues. Without an input it finishes the open one.
 */
export async function* answerInput(run: Run, given: UserInput | null): AsyncGenerator<SessionEvent, void> {
  yield* prepare(run);
  if (given !== null) run.hooks?.nextPrompt();
  await run.hooks?.begin();
  yield* startHeld(run);
  if (yield* runSessionCommand(run, given)) return;
  const input = given === null ? null : arriving(given);
  const model = run.settings().config.model;
  if (input !== null) {
    const accepted = yield* acceptInput(run, input);
    if (accepted === null) return;
    yield* takeModel(run, accepted);
    yield userInput(accepted);
  }
  yield* act(run);
  yield* absorbSteering(run);
  for (let kept = 0; ;) {
    yield* untilAnswered(run);
    if (yield* hearsAgent(run)) continue;
    if (!(yield* continuesByHook(run, kept))) break;
    kept += 1;
  }
  if (input?.called?.model !== undefined && run.settings().config.model !== model) yield { kind: 'CONFIGURED', model };
  if (run.ending() === null) yield* end(run);
}

/** What a hook stopped is not answered, unless the model was done by then. */
async function* end(run: Run): AsyncGenerator<SessionEvent, void> {
  const message = stoppedBy(run);
  const isOpen = message !== null && awaitsReply(run.view());
  if (message !== null && (!isOpen || run.hooks?.isChild === true))
    yield { kind: 'WARNING', message: `A hook stopped the work: ${message}` };
  yield { kind: 'PROCESSING_END', ...(isOpen ? { reason: 'hook_stopped', message } : {}) };
}

function stoppedBy({ hooks }: Run): string | null {
  return hooks?.stopped() ?? null;
}

function arriving({ called, ...input }: UserInput): ArrivingInput {
  return { ...input, ...defined({ called: called?.() ?? undefined }) };
}

/** An answer is over only when the agents that were left at work have reported. */
async function* hearsAgent(run: Run): AsyncGenerator<SessionEvent, boolean> {
  const isDone = (): boolean => run.ending() !== null || stoppedBy(run) !== null || awaitsReply(run.view());
  if (isDone()) return false;
  const report = await run.nextReport();
  if (report === null || isDone()) return false;
  const output = report.output.replaceAll(/<(\/?)(agent-report)/gi, '<$1\u200b$2');
  const content = `<agent-report id="${report.id}">\n${output}\n</agent-report>`;
  yield { kind: 'STEERING_INJECTED', content, source: 'agent' };
  return true;
}

/** The model that a command or a skill names answers this input, if the session's service has it. */
async function* takeModel(run: Run, { called }: ArrivingInput): AsyncGenerator<SessionEvent, void> {
  if (called?.model === undefined || called.model === 'inherit') return;
  const { provider } = run.settings().config;
  const model = modelNamed(called.model);
  if (getModelInfo(model)?.provider === provider) yield { kind: 'CONFIGURED', model };
  else
    yield {
      kind: 'WARNING',
      message: `/${called.name} asks for ${called.model}, which ${provider} is not known to have.`,
    };
}

async function* untilAnswered(run: Run): AsyncGenerator<SessionEvent, void> {
  while (run.ending() === null && stoppedBy(run) === null && awaitsReply(run.view())) {
    const limit = limitReached(run.view(), run.settings().config);
    if (limit !== null) {
      yield { kind: 'TURN_LIMIT', reason: limit };
      break;
    }
    yield* prepare(run);
    const answered = yield* ask(run);
    if (!answered) break;
    if (run.view().round === null) break;
    yield* act(run);
    yield* watchForLoops(run);
    yield* takeSteering(run);
    yield* absorbSteering(run);
  }
}

/** Loaded with the first call, as a session's first request does not wait for it, and once: every import costs time. */
const acting = once(() => import('./act.ts'));

async function* act(run: Run): AsyncGenerator<SessionEvent, void> {
  if (openCalls(run.view()).length === 0) return;
  yield* (await acting()).act(run);
}

/** Changed settings take effect here; the system text is rebuilt if it no longer fits them. */
async function* prepare(run: Run): AsyncGenerator<SessionEvent, void> {
  for (let change = run.nextChange(); change !== null; change = run.nextChange()) yield* configured(run, change);
  if (run.view().systemPrompt === null) yield { kind: 'SYSTEM_PROMPT', content: await run.buildPrompt() };
}

function userInput({ content, parts, todo, key, isFollowUp }: ArrivingInput): SessionEvent {
  return {
    kind: 'USER_INPUT',
    content,
    ...defined({ parts, todo, key }),
    ...(isFollowUp ? { isFollowUp: true } : {}),
  };
}

/** What a person says while the model gives its last answer stays with them: it is an input of its own. */
async function* takeSteering(run: Run): AsyncGenerator<SessionEvent, void> {
  const next = (): string | null => (run.ending() === null ? (run.saidMeanwhile?.() ?? null) : null);
  for (let content = next(); content !== null; content = next()) yield { kind: 'STEERING_QUEUED', content };
}

async function* absorbSteering(run: Run): AsyncGenerator<SessionEvent, void> {
  while (run.ending() === null && run.view().steering.length > 0) {
    yield { kind: 'STEERING_INJECTED', content: run.view().steering[0] ?? '' };
  }
}

function awaitsReply({ turns }: SessionView): boolean {
  return turns.length > 0 && turns.at(-1)?.kind !== 'assistant';
}

/** Absent or 0 means unlimited. The check comes before a request, so a limit never leaves calls without results. */
function limitReached(view: SessionView, config: SessionConfig): 'max_turns' | 'max_tool_rounds' | null {
  if (view.modelTurns >= (config.maxTurns || Infinity)) return 'max_turns';
  if (view.roundsOfInput >= (config.maxToolRoundsPerInput || Infinity)) return 'max_tool_rounds';
  return null;
}
