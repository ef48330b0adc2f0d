import {
  type AgentSession,
  type AgentSessionOptions,
  keepSnapshots,
  openAgentSession,
  type SessionConfig,
  type SnapshotKeeper,
} from '@attractor/agent';
import { type HeldSession, undoFolder } from '@attractor/journal';
import { defined, done, failed, nearestName, type Result } from '@attractor/base';
import { type Client, costOf, createClient, fallBackTo, NO_USAGE } from '@attractor/llm';
import { type AgentDefinition, misspelledTool } from '@attractor/settings';
import { hostVariables } from '@attractor/system';
import { createApiTime, type HeadlessEnding, type Line, resultLine } from '@attractor/stream-json';
import { rowOf } from '@attractor/tool-table';
import { answerControl, controlResponse, initializedResponse } from './control/answers.ts';
import type { Controlled } from './control/controlled.ts';
import { approveBy, type Decide, decideByControl, decideByTool, type DecisionEffects } from './control/can-use-tool.ts';
import { askUserBy } from './control/ask-user.ts';
import { elicitByControl } from './control/elicit.ts';
import { createGivenRules } from './control/given-rules.ts';
import { createHostServers, type HostServers } from './control/host-servers.ts';
import type { Initialized } from './control/initialize.ts';
import { initializingAgain } from './control/initialize-again.ts';
import { modeAsked } from './control/permission-mode.ts';
import { readWireAgents } from './control/wire-agents.ts';
import { answerInputs, type Conversation, createCancelling, endedAs, endingOf } from './conversation.ts';
import type { HeadlessInput } from './headless-input.ts';
import { initLine } from './init-line.ts';
import type { InputProblem } from './input/input-problem.ts';
import { beginningWith } from './input/user-inputs.ts';
import { createPresentedPlan, type PresentedPlan } from './presented-plan.ts';
import { unknownFields } from './session-config.ts';
import { createStructuredOutput, type StructuredOutput } from './structured-output.ts';
import { type Chosen, chosenAgent } from './chosen-agent.ts';
import { rewindBy } from './rewind-files.ts';
import { type SessionWatch, watchSession } from './watch.ts';

export type HeadlessEnd = {
  readonly ending: HeadlessEnding;
  /** Null: the last prompt has had its result line, and nothing came after it. */
  readonly result: Line | null;
  /** What was wrong with the input, or null. */
  readonly failure: InputProblem | null;
  /** The session was started for prompts, and none came. */
  readonly isUnused: boolean;
};

/** Runs a session without a terminal, from its first prompt to its last; every ending has a result line. */
export async function runHeadless(given: HeadlessInput, initialized: Initialized | null): Promise<Result<HeadlessEnd>> {
  const started = performance.now();
  const agents = [...readWireAgents(given.flags.agents).agents, ...(initialized?.agents ?? [])];
  const chosen = chosenAgent(given, agents);
  if (!chosen.ok) return chosen;
  const input = begunBy(chosen.value, given);
  const { flags, signal, control } = input;
  const apiTime = createApiTime();
  const fallback = fallBackTo(flags.fallbackModel ?? fallbackIn(input.setup));
  const client = createClient({ configuration: input.llm, middleware: [apiTime.middleware, fallback] });
  const structured = createStructuredOutput(flags.jsonSchema ?? initialized?.jsonSchema);
  const opened: { session: AgentSession | null } = { session: null };
  const cancelling = createCancelling(() => opened.session, initialized?.sparesLeft === true ? 'awaited' : undefined);
  const effects = effectsOf(input, { opened, interrupt: cancelling.cancel });
  const decide = deciderOf(input, () => opened.session);
  const plan = createPresentedPlan({ mode: flags.permissionMode, decide, effects });
  const keeper = keepSnapshots({ workspace: input.cwd, statePath: undoFolder(input.place) });
  const hostServers = createHostServers(control?.channel ?? { request: async () => failed(NO_PROGRAM) });
  const means = {
    client,
    keeper,
    plan,
    structured,
    initialized,
    hostServers,
    decide,
    effects,
    agents,
    chosen: chosen.value,
  };
  const result = await openSession(input, means);
  if (!result.ok) return result;
  const session = result.value;
  opened.session = session;
  const watch = watchSession(session, input, { isHidden: structured?.isTool ?? (() => false), keeper });
  interruptedBy(signal, session);
  await begin(session, input, initialized);
  const time = { started, apiMs: apiTime.ms };
  serveControl(input, { session, watch, keeper, hostServers, cancel: cancelling.cancel, time, initialized });
  const talk: Conversation = { session, input, watch, structured, plan, time, cancelling };
  const { told, failure, isIdle } = await answerInputs(talk);
  control?.lines.close();
  input.progress?.stop();
  const ending = failure === null ? endingOf(talk) : 'failed';
  await session.close();
  await watch.ended;
  await keeper.close();
  await client.close();
  await input.sandbox?.close();
  const final = signal.aborted ? 'interrupted' : ending;
  const isUnused = isIdle && input.place.isNew;
  const unused = isUnused ? { sessionId: null, message: failure?.message ?? NO_PROMPT } : {};
  return done({
    ending: final,
    result: told === final ? null : resultLine({ ...endedAs(talk, final, failure), ...unused }),
    failure,
    isUnused,
  });
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

type Serving = Pick<Controlled, 'session' | 'hostServers' | 'cancel'> & {
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

/** Why the tool that decides can't be asked; null: it can. */
function missingDecider(asked: string | undefined, session: AgentSession): string | null {
  if (asked === undefined || asked === 'stdio') return null;
  const names = session.tools().map(({ name }) => name);
  if (names.includes(asked)) return null;
  const near = nearestName(
    asked,
    names.filter((name) => name.startsWith('mcp__')),
  );
  const hint = near === null ? '' : ` Did you mean ${near}?`;
  return `--permission-prompt-tool ${asked}: no server that is connected has this tool.${hint}`;
}

const NO_PROGRAM = { code: 'closed', message: 'there is no program at the other end', retryable: false };

type Means = {
  readonly client: Client;
  readonly keeper: SnapshotKeeper;
  readonly plan: PresentedPlan;
  readonly structured: StructuredOutput | null;
  readonly initialized: Initialized | null;
  readonly hostServers: HostServers;
  readonly decide: Decide | null;
  readonly effects: DecisionEffects;
  /** Besides those of the setup. */
  readonly agents: ReadonlyArray<AgentDefinition>;
  readonly chosen: Chosen;
};

/** A session that nobody can ask in the way that was asked for is not begun. */
async function openSession(input: HeadlessInput, means: Means): Promise<Result<AgentSession>> {
  const opened = await openWith(input, means);
  const missing = opened.ok ? missingDecider(input.flags.permissionPromptTool, opened.value) : null;
  if (!opened.ok || missing === null) return opened;
  await opened.value.close();
  return failed({ code: 'not_found', message: missing, retryable: false });
}

async function openWith(input: HeadlessInput, means: Means): Promise<Result<AgentSession>> {
  const { flags, place, cwd, furtherFolders, provider, rules, sandbox, version, signal, control } = input;
  const { client, keeper, plan, structured, initialized, hostServers, decide, effects, agents, chosen } = means;
  const { setup, model, tools: onlyTools, denied } = chosen;
  return openAgentSession({
    folder: cwd,
    furtherFolders,
    client,
    provider,
    ...defined({ model, profile: flags.profile, onlyTools }),
    setup,
    place,
    mode: flags.permissionMode,
    rules: [...rules, ...denied],
    sandbox: sandbox ?? 'none',
    tools: structured === null ? [] : [structured.tool],
    ports: plan.ports,
    servers: {
      mcp: [...flags.mcp, ...(initialized?.hostServers ?? []).map(hostServers.definition)],
      mcpConfig: flags.mcpConfig,
      mayChange: initialized !== null,
    },
    hooks: initialized?.hooks ?? [],
    ...defined({ toolAliases: initialized?.toolAliases }),
    agents,
    ...(control === null || initialized === null ? {} : { elicit: elicitByControl(control.channel) }),
    saidMeanwhile: input.inputs.takeText,
    // Nobody else can be asked: what the policy asks about is denied.
    ...(decide === null ? {} : { approve: approveBy(decide, effects), askUser: askUserBy(decide, effects) }),
    beforeChange: keeper.beforeChange,
    ...(flags.init === true ? { setupTrigger: 'init' as const } : {}),
    ...(flags.maintenance === true ? { setupTrigger: 'maintenance' as const } : {}),
    ...systemTextOf(input, initialized, chosen),
    circumstances: {
      promptsBy: 'sdk',
      ...defined({ agentType: flags.agent }),
      ...(flags.forkSession === true ? { begunBy: 'fork' as const } : {}),
    },
    version,
    signal,
  });
}

type Told = Pick<AgentSessionOptions, 'systemText' | 'config'>;

function systemTextOf({ flags, place }: HeadlessInput, initialized: Initialized | null, agent: Chosen): Told {
  const appended = [
    agent.prompt,
    flags.appendSystemPrompt,
    initialized?.appendSystemPrompt,
    flags.permissionMode === 'plan' ? initialized?.planModeInstructions : undefined,
  ].filter((text) => text !== undefined && text !== '');
  const whole = (initialized?.systemPrompt ?? flags.systemPrompt)?.replaceAll(CACHE_BOUNDARY, '\n\n');
  const config: Partial<SessionConfig> = {
    ...defined({ reasoningEffort: agent.effort }),
    ...flags.config,
    ...(flags.maxTurns === undefined ? {} : { maxTurns: answersBefore(place) + flags.maxTurns }),
    ...(appended.length === 0 || whole !== undefined ? {} : { userInstruction: appended.join('\n\n') }),
  };
  return { config, ...(whole === undefined ? {} : { systemText: [whole, ...appended].join('\n\n') }) };
}

/** Where Claude Code divides what it keeps in a cache: a mark for the program, not for the model. */
const CACHE_BOUNDARY = /\s*^__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__$\s*/gm;

/** A session counts its turns over all of its runs; the flag counts only this one. */
function answersBefore({ isNew, journal }: HeldSession): number {
  if (isNew) return 0;
  return [...journal.records()].filter(({ event }) => event.kind === 'ASSISTANT_MESSAGE').length;
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
