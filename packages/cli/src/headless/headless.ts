import { homedir } from 'node:os';
import {
  createLocalExecutionEnvironment,
  createPolicy,
  createSession,
  type DeliveredEvent,
  type ExecutionEnvironment,
  type HeldSession,
  type HookDefinition,
  type Hooks,
  joinFolders,
  journalsBeside,
  keepSnapshots,
  memoryFileOf,
  type Mcp,
  openSessionHooks,
  outputFolder,
  type PermissionRule,
  type Policy,
  resumeSession,
  type Sandbox,
  type SandboxSettings,
  type Session,
  type SessionConfig,
  type SnapshotKeeper,
  truncateToolOutput,
  undoFolder,
  withinDomains,
} from '@attractor/agent';
import { type Client, createClient, getModelInfo, type LlmConfiguration } from '@attractor/llm';
import { EXIT } from '../exit.ts';
import { catchStop } from '../terminal/stop-signal.ts';
import type { FilesHere } from './files-here.ts';
import { initLine } from './init-line.ts';
import { type Line, linesOf } from './event-lines.ts';
import type { HeadlessFlags } from './flags.ts';
import { promptInput } from './prompt-input.ts';
import { type Ended, type Ending, resultLine } from './result-line.ts';
import { startServers } from './start-servers.ts';
import { createStructuredOutput, type StructuredOutput } from './structured-output.ts';
import { count, NOTHING, type Tally } from './tally.ts';
import type { ToolsHere } from './tools-here.ts';

export type HeadlessInput = {
  readonly flags: HeadlessFlags;
  readonly prompts: AsyncIterable<string>;
  readonly llm: LlmConfiguration;
  readonly provider: string;
  readonly model: string;
  readonly tools: ToolsHere;
  readonly place: HeldSession;
  readonly cwd: string;
  readonly furtherFolders: ReadonlyArray<string>;
  /** Null: commands run on the machine itself. */
  readonly sandbox: Sandbox | null;
  /** The domains that commands may reach: pages are read within them. */
  readonly network: SandboxSettings['limits']['network'];
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly hooks: ReadonlyArray<HookDefinition>;
  /** Servers whose tools the session gets; null: there are none. */
  readonly mcp: Mcp | null;
  readonly files: FilesHere;
  readonly write: (line: Line) => void;
};

/** Runs a session with nobody at a terminal, from its first prompt to its last; every ending has a result line. */
export async function runHeadless(input: HeadlessInput): Promise<{ readonly exitCode: number; readonly result: Line }> {
  const started = performance.now();
  const stop = catchStop();
  const client = createClient({ configuration: input.llm });
  const structured = createStructuredOutput(input.flags.jsonSchema);
  if (structured !== null) input.tools.profile.toolRegistry.register(structured.tool);
  const keeper = keepSnapshots({ workspace: input.cwd, statePath: undoFolder(input.place) });
  const confined = { sandbox: input.sandbox ?? undefined };
  const environment = joinFolders(
    createLocalExecutionEnvironment(input.cwd, 'inherit_core', {
      ...confined,
      outputFolder: outputFolder(input.place),
    }),
    input.furtherFolders.map((folder) => createLocalExecutionEnvironment(folder, 'inherit_core', confined)),
  );
  // An earlier process may have died in the middle of a change: what it left half done is taken back.
  if (!input.place.isNew) await environment.initialize();
  const policy = policyOf(input);
  input.files.bind({ policy, environment, sessionId: input.place.id });
  const hooks = openSessionHooks({
    definitions: input.hooks,
    cwd: input.cwd,
    outputFolder: outputFolder(input.place),
    environment,
    sandbox: input.sandbox,
  });
  const session = openSession(input, { client, keeper, environment, policy, hooks });
  const watch = watchSession(session, input, { isHidden: structured?.isTool ?? (() => false), keeper });
  const abort = (): void => {
    void session.abort();
    void input.mcp?.close();
  };
  stop.signal.addEventListener('abort', abort, { once: true });
  if (stop.signal.aborted) abort();
  const { tools, flags, cwd, model } = input;
  await startServers(input.mcp);
  input.write(initLine({ session, tools, flags, cwd, model, policy, mcp: input.mcp, files: input.files }));
  const ending = await converse({ session, input, watch, structured });
  await session.close();
  await tools.end();
  await hooks?.close();
  await watch.ended;
  await keeper.close();
  await client.close();
  await input.mcp?.close();
  await input.sandbox?.close();
  stop.release();
  const final = stop.signal.aborted ? 'interrupted' : ending;
  const ended: Ended = {
    ending: final,
    sessionId: session.id,
    tally: watch.tally(),
    durationMs: performance.now() - started,
    plan: tools.plan(),
    ...(structured?.value() === undefined ? {} : { structuredOutput: structured.value() }),
    ...(MESSAGES[final] === undefined ? {} : { message: MESSAGES[final] }),
  };
  const exitCode = final === 'done' ? EXIT.done : stop.signal.aborted ? stop.exitCode() : EXIT.failed;
  return { exitCode, result: resultLine(ended) };
}

const MESSAGES: Readonly<Partial<Record<Ending, string>>> = {
  max_turns: 'Stopped: the limit of turns is reached. Go on with --resume, or raise --max-turns.',
  max_budget: 'Stopped: the budget is spent. Go on with --resume, or raise --max-budget-usd.',
  structured_output: 'The model gave no answer that fits the schema.',
  interrupted: 'Interrupted. Go on with --resume.',
};

type Means = {
  readonly client: Client;
  readonly keeper: SnapshotKeeper;
  readonly environment: ExecutionEnvironment;
  readonly policy: Policy;
  readonly hooks: Hooks | null;
};

function openSession(input: HeadlessInput, { client, keeper, environment, policy, hooks }: Means): Session {
  const { flags, place } = input;
  const window = getModelInfo(input.model)?.contextWindow;
  const config: SessionConfig = {
    ...(window === undefined ? {} : { contextWindowSize: window }),
    ...flags.config,
    model: input.model,
    provider: input.provider,
    workingDirectory: input.cwd,
    ...(flags.maxTurns === undefined ? {} : { maxTurns: flags.maxTurns }),
    ...(flags.appendSystemPrompt === undefined ? {} : { userInstruction: flags.appendSystemPrompt }),
  };
  const options = {
    profile: input.tools.profile,
    environment,
    client,
    config,
    journal: place.journal,
    journalFor: journalsBeside(place.journal.path),
    profiles: input.tools.profiles,
    agents: input.tools.agents,
    sessionId: place.id,
    // Nobody is there to be asked: what the policy asks about is denied.
    policy,
    beforeChange: keeper.beforeChange,
    ...(hooks === null ? {} : { hooks }),
    compaction: {},
    memoryFile: memoryFileOf(input.cwd),
    ...(input.mcp === null ? {} : { toolSources: [input.mcp] }),
  };
  return place.isNew ? createSession(options) : resumeSession(options);
}

function policyOf({ rules, flags, cwd, furtherFolders, sandbox, network }: HeadlessInput): Policy {
  const policy = createPolicy({
    rules,
    mode: flags.permissionMode,
    root: cwd,
    home: homedir(),
    additionalDirectories: furtherFolders,
    sandboxed: sandbox !== null || flags.allowUnsandboxed === true,
  });
  return withinDomains(policy, { ...network, commands: sandbox === null ? 'free' : 'confined' });
}

type Watch = { readonly tally: () => Tally; readonly ended: Promise<void>; readonly overBudget: () => boolean };

type Watching = { readonly isHidden: (toolName: string) => boolean; readonly keeper: SnapshotKeeper };

/** Reads the session's events: counts them, writes their lines, and stops the session when the budget is spent. */
function watchSession(session: Session, input: HeadlessInput, { isHidden, keeper }: Watching): Watch {
  const { flags, write } = input;
  const limits = flags.config as Pick<SessionConfig, 'toolOutputLimits' | 'toolLineLimits'>;
  const options = {
    partial: flags.includePartialMessages === true,
    shorten: (toolName: string, output: string) => truncateToolOutput(output, toolName, limits),
  };
  let tally = NOTHING;
  let over = false;
  const read = async (): Promise<void> => {
    for await (const event of session.events()) {
      tally = count(tally, event);
      keeper.see(event);
      if (flags.outputFormat === 'stream-json' && !isHiddenEvent(event, isHidden))
        linesOf(event, options).forEach(write);
      if (!over && (tally.costUsd ?? 0) > (flags.maxBudgetUsd ?? Infinity)) {
        over = true;
        void session.abort();
      }
    }
  };
  // Events end with a throw only when the journal failed; the session's own error says so.
  return { tally: () => tally, ended: read().catch(() => undefined), overBudget: () => over };
}

function isHiddenEvent(event: DeliveredEvent, isHidden: (toolName: string) => boolean): boolean {
  return event.kind === 'TOOL_CALL_END' && isHidden(event.toolName);
}

type Conversation = {
  readonly session: Session;
  readonly input: HeadlessInput;
  readonly watch: Watch;
  readonly structured: StructuredOutput | null;
};

async function converse({ session, input, watch, structured }: Conversation): Promise<Ending> {
  if (!input.place.isNew) await session.resume();
  for await (const prompt of input.prompts) {
    if (session.state() === 'CLOSED') break;
    input.tools.forgetPlan();
    await session.submit(await promptInput(input.mcp, await input.files.expand(prompt)));
    if (structured !== null) await insist(session, structured);
  }
  if (watch.overBudget()) return 'max_budget';
  if (session.error() !== null || session.state() === 'CLOSED' || watch.tally().isRefused) return 'failed';
  if (watch.tally().limit !== null) return 'max_turns';
  return structured !== null && structured.value() === undefined ? 'structured_output' : 'done';
}

const REMINDERS = 3;

/** Asks for the value again when the model ended without giving one. */
async function insist(session: Session, structured: StructuredOutput): Promise<void> {
  for (let reminders = 0; reminders < REMINDERS; reminders += 1) {
    if (structured.value() !== undefined || session.state() === 'CLOSED') return;
    await session.submit(structured.reminder);
  }
}
