import { homedir } from 'node:os';
import { defined } from '@attractor/base';
import {
  createLocalExecutionEnvironment,
  createSession,
  type ExecutionEnvironment,
  type Hooks,
  joinFolders,
  keepSnapshots,
  memoryFileOf,
  openSessionHooks,
  resumeSession,
  type Session,
  type SessionConfig,
  type SnapshotKeeper,
  withinDomains,
} from '@attractor/agent';
import { createPolicy, type PermissionRule, type Policy } from '@attractor/policy';
import { type HeldSession, journalsBeside, outputFolder, undoFolder } from '@attractor/journal';
import type { HookDefinition, SandboxSettings } from '@attractor/settings';
import type { Mcp } from '@attractor/mcp';
import type { Sandbox } from '@attractor/confine';
import { type Client, createClient, getModelInfo, type LlmConfiguration } from '@attractor/llm';
import { type CommandFailure, EXIT } from '../exit.ts';
import type { StopSignal } from '../terminal/stop-signal.ts';
import { createApiTime } from './api-time.ts';
import { type Conversation, converse, endedAs, endingOf } from './conversation.ts';
import { answerControl } from './control.ts';
import type { FilesHere } from './files-here.ts';
import { initLine } from './init-line.ts';
import type { Line } from './event-lines.ts';
import type { HeadlessFlags } from './flags.ts';
import type { Listening } from './prompts.ts';
import { type Ending, resultLine } from './result-line.ts';
import { startServers } from './start-servers.ts';
import { createStructuredOutput } from './structured-output.ts';
import type { ToolsHere } from './tools-here.ts';
import type { Prompt } from './read-user-line.ts';
import { watchSession } from './watch.ts';

export type HeadlessInput = {
  readonly flags: HeadlessFlags;
  /** Lazy: nothing is read before the session is there to listen. */
  readonly prompts: (listening: Listening) => AsyncIterable<Prompt>;
  readonly stop: StopSignal;
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

export type HeadlessEnd = {
  readonly exitCode: number;
  /** Null: the last prompt has had its result line, and nothing came after it. */
  readonly result: Line | null;
  /** What was wrong with what came in; null: nothing. */
  readonly failure: CommandFailure | null;
  /** The session was begun for prompts, and none came. */
  readonly isUnused: boolean;
};

/** Runs a session with nobody at a terminal, from its first prompt to its last; every ending has a result line. */
export async function runHeadless(input: HeadlessInput): Promise<HeadlessEnd> {
  const started = performance.now();
  const { stop } = input;
  const apiTime = createApiTime();
  const client = createClient({ configuration: input.llm, middleware: [apiTime.middleware] });
  const structured = createStructuredOutput(input.flags.jsonSchema);
  if (structured !== null) input.tools.profile.toolRegistry.register(structured.tool);
  const keeper = keepSnapshots({ workspace: input.cwd, statePath: undoFolder(input.place) });
  const environment = environmentOf(input);
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
  const interrupted = new AbortController();
  const signal = AbortSignal.any([stop.signal, interrupted.signal]);
  const abort = (): void => {
    void session.abort();
    void input.mcp?.close();
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const { tools, flags, cwd, model, files, mcp, write } = input;
  await startServers(mcp);
  write(initLine({ session, agents: tools.agents, flags, cwd, model, mcp, files }));
  const onControl = answerControl({ session, files, write, interrupt: () => interrupted.abort() });
  const time = { started, apiMs: apiTime.ms };
  const talk: Conversation = { session, input, watch, structured, time, listening: { signal, onControl } };
  const { told, failure, isIdle } = await converse(talk);
  const ending = failure === null ? endingOf(talk) : 'failed';
  await session.close();
  await tools.end();
  await hooks?.close();
  await watch.ended;
  await keeper.close();
  await client.close();
  await mcp?.close();
  await input.sandbox?.close();
  stop.release();
  const final = signal.aborted ? 'interrupted' : ending;
  const isUnused = isIdle && input.place.isNew;
  const unused = isUnused
    ? { sessionId: null, message: failure?.message ?? 'Interrupted before there was a prompt.' }
    : {};
  return {
    exitCode: exitCodeOf(final, { stop, failure }),
    result: told === final ? null : resultLine({ ...endedAs(talk, final, failure), ...unused }),
    failure,
    isUnused,
  };
}

function environmentOf({ cwd, furtherFolders, sandbox, place }: HeadlessInput): ExecutionEnvironment {
  const confined = { sandbox: sandbox ?? undefined };
  return joinFolders(
    createLocalExecutionEnvironment(cwd, 'inherit_core', { ...confined, outputFolder: outputFolder(place) }),
    furtherFolders.map((folder) => createLocalExecutionEnvironment(folder, 'inherit_core', confined)),
  );
}

function exitCodeOf(
  ending: Ending,
  { stop, failure }: { readonly stop: StopSignal; readonly failure: CommandFailure | null },
): number {
  if (stop.signal.aborted) return stop.exitCode();
  if (ending === 'interrupted') return EXIT.interrupted;
  if (failure !== null) return failure.exitCode;
  return ending === 'done' ? EXIT.done : EXIT.failed;
}

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
    ...defined({ contextWindowSize: window }),
    ...flags.config,
    model: input.model,
    provider: input.provider,
    workingDirectory: input.cwd,
    ...(flags.maxTurns === undefined ? {} : { maxTurns: answersBefore(place) + flags.maxTurns }),
    ...defined({ userInstruction: flags.appendSystemPrompt }),
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

/** A session counts its turns over all of its runs, the flag those of this one. */
function answersBefore({ isNew, journal }: HeldSession): number {
  if (isNew) return 0;
  return [...journal.records()].filter(({ event }) => event.kind === 'ASSISTANT_MESSAGE').length;
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
