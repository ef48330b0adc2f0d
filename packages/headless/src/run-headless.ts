import { type AgentSession, keepSnapshots, type SnapshotKeeper } from '@attractor/agent';
import { type DeliveredEvent, type HeldSession, undoFolder } from '@attractor/journal';
import { defined, done, failed, type Result } from '@attractor/base';
import { newUuid } from '@attractor/base/id';
import { type Client, costOf, createClient, fallBackTo, NO_USAGE } from '@attractor/llm';
import { misspelledTool } from '@attractor/settings';
import { hostVariables } from '@attractor/system';
import { createApiTime, type HeadlessEnding, type Line, resultLine, type Tally } from '@attractor/stream-json';
import { rowOf } from '@attractor/tool-table';
import { answerControl, controlResponse, initializedResponse } from './control/answers.ts';
import type { Controlled } from './control/controlled.ts';
import { type Decide, decideByControl, decideByTool, type DecisionEffects } from './control/can-use-tool.ts';
import { createGivenRules } from './control/given-rules.ts';
import { createHostServers } from './control/host-servers.ts';
import type { Initialized } from './control/initialize.ts';
import { initializingAgain } from './control/initialize-again.ts';
import { modeAsked } from './control/permission-mode.ts';
import { readWireAgents } from './control/wire-agents.ts';
import {
  answerInputs,
  type Cancelling,
  type Conversation,
  createCancelling,
  endedAs,
  endingOf,
} from './conversation.ts';
import { followed } from './followed-session.ts';
import type { HeadlessInput } from './headless-input.ts';
import { initLine } from './init-line.ts';
import type { InputProblem } from './input/input-problem.ts';
import { beginningWith } from './input/user-inputs.ts';
import { mirrored } from './mirror.ts';
import { type Means, openHeadlessSession } from './open-headless-session.ts';
import { createPresentedPlan } from './presented-plan.ts';
import { createWishes, type LiveWishes } from './service-wishes.ts';
import { unknownFields } from './session-config.ts';
import { createSideTexts, type SideWishes } from './side-texts.ts';
import { createStructuredOutput } from './structured-output.ts';
import { type Chosen, chosenAgent } from './chosen-agent.ts';
import { rewindBy } from './rewind-files.ts';
import { type SessionWatch, watchSession } from './watch.ts';

export type HeadlessEnd = {
  readonly ending: HeadlessEnding;
  /** Null: the last prompt has had its result line, and nothing came after it. */
  readonly result: Line | null;
  /** What was wrong with the input, or null. */
  readonly failure: InputProblem | null;
  /** Places of sessions in which no model was asked for anything. */
  readonly unused: ReadonlyArray<HeldSession>;
};

/** Runs a session without a terminal, from its first prompt to its last; every ending has a result line. */
export async function runHeadless(given: HeadlessInput, initialized: Initialized | null): Promise<Result<HeadlessEnd>> {
  const prepared = prepareRun(given, initialized);
  if (!prepared.ok) return prepared;
  const run = prepared.value;
  const unused: HeldSession[] = [];
  let part = await converse(run.input, run);
  while (part.ok && part.value.next !== null) {
    if (part.value.isUnused) unused.push(part.value.place);
    part = await converse(part.value.next, { ...run, cleared: part.value.tally });
  }
  if (!part.ok) return part;
  const { ending, result, failure, isUnused, place } = part.value;
  if (isUnused) unused.push(place);
  await run.client.close();
  await given.sandbox?.close();
  return done({ ending, result, failure, unused });
}

/** What all conversations of a run have in common. */
type Run = {
  readonly input: HeadlessInput;
  readonly initialized: Initialized | null;
  readonly means: Omit<Means, 'keeper' | 'leaving' | 'isAfterClear'>;
  readonly client: Client;
  readonly wishes: LiveWishes;
  readonly opened: { session: AgentSession | null };
  readonly cancelling: Cancelling;
  readonly time: Conversation['time'];
  /** What was used before this conversation, which another one made room for. Absent: it is the first. */
  readonly cleared?: Tally;
};

function prepareRun(given: HeadlessInput, initialized: Initialized | null): Result<Run> {
  const started = performance.now();
  const agents = [...readWireAgents(given.flags.agents).agents, ...(initialized?.agents ?? [])];
  const chosen = chosenAgent(given, agents);
  if (!chosen.ok) return chosen;
  const input = begunBy(chosen.value, given);
  const { flags, control } = input;
  const apiTime = createApiTime();
  const fallback = fallBackTo(flags.fallbackModel ?? fallbackIn(input.setup));
  const wishes = createWishes(flags);
  const middleware = [apiTime.middleware, wishes.middleware, fallback];
  const client = createClient({ configuration: input.llm, middleware });
  const structured = createStructuredOutput(flags.jsonSchema ?? initialized?.jsonSchema);
  const opened: Run['opened'] = { session: null };
  const cancelling = createCancelling(() => opened.session, initialized?.sparesLeft === true ? 'awaited' : undefined);
  const effects = effectsOf(input, { opened, interrupt: cancelling.cancel });
  const decide = deciderOf(input, () => opened.session);
  const plan = createPresentedPlan({ mode: flags.permissionMode, decide, effects });
  const hostServers = createHostServers(control?.channel ?? { request: async () => failed(NO_PROGRAM) });
  const asked = { client, plan, structured, initialized, hostServers, decide, effects, agents };
  return done({
    input,
    initialized,
    means: { ...asked, chosen: chosen.value },
    client,
    wishes,
    opened,
    cancelling,
    time: { started, apiMs: apiTime.ms },
  });
}

type SessionWatching = (event: DeliveredEvent) => void;

type Part = {
  readonly ending: HeadlessEnding;
  readonly result: Line | null;
  readonly failure: InputProblem | null;
  readonly isUnused: boolean;
  readonly place: HeldSession;
  readonly tally: Tally;
  /** Another conversation begins in this one's place. Null: the run is over. */
  readonly next: HeadlessInput | null;
};

/** One conversation, from its first prompt to its last, or to the one that asks for another conversation. */
async function converse(input: HeadlessInput, run: Run): Promise<Result<Part>> {
  const { initialized, means, opened, cancelling, time, wishes, cleared } = run;
  const { signal, control, place } = input;
  const { structured, plan, hostServers } = means;
  const keeper = keepSnapshots({ workspace: input.cwd, statePath: undoFolder(place) });
  const leaving = { isCleared: false };
  const result = await openHeadlessSession(input, { ...means, keeper, leaving, isAfterClear: cleared !== undefined });
  if (!result.ok) return result;
  const { session, see } = followed(result.value);
  opened.session = session;
  const heard: SessionWatching[] = [see, ...mirrored({ ...input, seen: wishes.seen })];
  const watch = watchSession(session, input, {
    isHidden: structured?.isTool ?? (() => false),
    keeper,
    seen: wishes.seen,
    hear: (event) => heard.forEach((hear) => hear(event)),
    ...defined({ from: cleared }),
  });
  const beside = createSideTexts({ ...input, ...run, ...watch, session, wishes: sideWishes(input, initialized) });
  heard.push(beside.see);
  interruptedBy(signal, session);
  await begin(session, input, cleared === undefined ? initialized : null);
  const { show } = wishes;
  serveControl(input, { session, watch, keeper, hostServers, cancel: cancelling.cancel, time, initialized, show });
  const talk: Conversation = { session, input, watch, structured, plan, time, cancelling, beside };
  const { told, failure, isIdle, isSilent, isCleared } = await answerInputs(talk, cleared !== undefined);
  const next = isCleared ? afterClear(input, session) : null;
  leaving.isCleared = isCleared;
  if (next === null) control?.lines.close();
  input.progress?.stop();
  const ending = failure === null ? endingOf(talk) : 'failed';
  await beside.settled();
  await session.close();
  await watch.ended;
  await keeper.close();
  const final = signal.aborted ? 'interrupted' : ending;
  const unused = isIdle && place.isNew ? { sessionId: null, message: failure?.message ?? NO_PROMPT } : {};
  return done({
    ending: final,
    result: told === final ? null : resultLine({ ...endedAs(talk, final, failure), ...unused }),
    failure,
    isUnused: (isIdle || isSilent) && place.isNew,
    place,
    tally: watch.tally(),
    next,
  });
}

/** Model and mode stay as they were chosen meanwhile, and the program is told under which id it goes on. */
function afterClear(input: HeadlessInput, session: AgentSession): HeadlessInput {
  const place = input.newPlace();
  const about = { new_conversation_id: place.id, trigger: 'clear', timestamp: new Date().toISOString() };
  input.write({ type: 'conversation_reset', ...about, uuid: newUuid(), session_id: session.id });
  return { ...input, place, model: session.model, flags: { ...input.flags, permissionMode: session.mode } };
}

function sideWishes({ flags, setup }: HeadlessInput, initialized: Initialized | null): SideWishes {
  const env = setup.env ?? hostVariables();
  const asks = flags.promptSuggestions === true || initialized?.suggestsPrompts === true;
  const isLines = flags.inputFormat === 'stream-json' && flags.outputFormat === 'stream-json';
  const isOff = /^(?:0|false|no|off)$/i.test(env['CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION'] ?? '');
  const noProgress = env['CLAUDE_CODE_DISABLE_AGENT_PROGRESS_SUMMARIES'] === '1';
  return {
    suggestsPrompts: asks && isLines && !isOff && flags.permissionMode !== 'plan',
    tellsProgress: initialized?.tellsProgress === true && !noProgress,
  };
}

/** The session has its title, and the program reads what there is. */
async function begin(session: AgentSession, input: HeadlessInput, initialized: Initialized | null): Promise<void> {
  const { flags, version, write } = input;
  const title = flags.name ?? (input.place.isNew ? initialized?.title : undefined);
  if (title !== undefined) session.configure({ title });
  [...notHeld(input, session.model), ...notSwitchedOff(input), ...session.notes].forEach(input.tell);
  write(await initLine(session, { flags, version }));
  if (initialized !== null)
    write(controlResponse(initialized.requestId, { response: initializedResponse({ session, version }) }));
}

function interruptedBy(signal: AbortSignal, session: AgentSession): void {
  const interrupt = (): void => void session.interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
}

const NO_PROMPT = 'Interrupted before there was a prompt.';

const NO_PROGRAM = { code: 'closed', message: 'there is no program at the other end', retryable: false };

type Reached = { readonly opened: { readonly session: AgentSession | null }; readonly interrupt: () => void };

function effectsOf(input: HeadlessInput, { opened, interrupt }: Reached): DecisionEffects {
  return {
    setMode: (wanted) => {
      const asked = modeAsked({ mayBypass: mayBypass(input) }, wanted);
      if ('mode' in asked) opened.session?.setMode(asked.mode);
      return 'mode' in asked;
    },
    interrupt,
    tell: input.tell,
  };
}

/** A new session as an agent begins with what that agent says first. */
function begunBy({ initialPrompt }: Chosen, input: HeadlessInput): HeadlessInput {
  if (initialPrompt === undefined || !input.place.isNew) return input;
  return { ...input, inputs: beginningWith(initialPrompt, input.inputs) };
}

function fallbackIn({ loaded }: HeadlessInput['setup']): ReadonlyArray<string> {
  const value = loaded.settings.find(({ row }) => row.name === 'fallbackModel')?.entries[0]?.value;
  return typeof value === 'string' ? value.split(',').map((name) => name.trim()) : [];
}

type Serving = Pick<Controlled, 'session' | 'hostServers' | 'cancel' | 'show'> & {
  readonly time: Conversation['time'];
  readonly initialized: Initialized | null;
  readonly watch: SessionWatch;
  readonly keeper: SnapshotKeeper;
};

/** From now on the program at the other end of the pipes is answered. */
function serveControl(input: HeadlessInput, { watch, keeper, time, initialized, ...served }: Serving): void {
  const { write, version, control, setup } = input;
  if (control === null) return;
  const { session } = served;
  const usage: Controlled['usage'] = () => ({
    tally: watch.tally(),
    apiMs: time.apiMs(),
    durationMs: performance.now() - time.started,
    lines: watch.lines(),
  });
  control.lines.serve(
    answerControl({
      ...served,
      write,
      version,
      setup,
      usage,
      mayBypass: mayBypass(input),
      initialModel: session.model,
      rewindFiles: rewindBy(watch, keeper),
      variables: setup.env ?? hostVariables(),
      lookAtTasks: watch.lookAtTasks,
      given: createGivenRules(session),
      initializeAgain: initializingAgain({ initialized, channel: control.channel, session, version }),
    }),
  );
}

/** Whether whoever started the run lets it stop asking. */
function mayBypass({ flags, setup }: HeadlessInput): boolean {
  const isAllowed = flags.permissionMode === 'bypassPermissions' || flags.allowDangerouslySkipPermissions === true;
  return isAllowed && !setup.isBypassDisabled;
}

/** Who answers in a person's place; null: nobody. */
function deciderOf({ flags, control }: HeadlessInput, session: () => AgentSession | null): Decide | null {
  const { permissionPromptTool: asked } = flags;
  if (asked === undefined) return null;
  if (asked !== 'stdio') return decideByTool(asked, session);
  return control === null ? null : decideByControl(control.channel);
}

/** What is said in a file or a flag does not take the sandbox away: who runs the command does. */
function notSwitchedOff({ setup: { loaded }, sandbox }: HeadlessInput): ReadonlyArray<string> {
  const isAsked = loaded.unmapped.some(({ name }) => name === 'sandbox.enabled');
  if (!isAsked || sandbox === null) return [];
  return ['sandbox.enabled: false is not obeyed: commands run in the sandbox; --allow-unsandboxed does without it.'];
}

/** Requested limits that can't be enforced. */
function notHeld({ flags, rules }: HeadlessInput, model: string): ReadonlyArray<string> {
  const { config, maxBudgetUsd, tools = [] } = flags;
  const without = [
    ...unknownFields(config).map((name) => `--config: no session has a field ${name}, so it does nothing.`),
    ...tools.filter(isNoTool).map((name) => `--tools: there is no tool ${name} here.`),
    ...rules.flatMap(({ tool, text, origin }) => {
      const wrong = misspelledTool(tool);
      return wrong === null ? [] : [`${origin.file ?? 'a flag'}: "${text}" does nothing: ${wrong}`];
    }),
  ];
  if (maxBudgetUsd === undefined || costOf(model, NO_USAGE) !== null) return without;
  return [...without, `no price of ${model} is known, so --max-budget-usd can't stop this run.`];
}

function isNoTool(name: string): boolean {
  return !name.startsWith('mcp__') && rowOf(name) === undefined;
}
