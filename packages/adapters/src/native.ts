import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type BackgroundShells,
  BUILT_IN_AGENTS,
  createBackgroundShells,
  createLocalExecutionEnvironment,
  createRedactor,
  createSession,
  createToolRegistry,
  type ExecutionEnvironment,
  type FileJournal,
  houseNameOf,
  journalsBeside,
  JournalError,
  memoryFileOf,
  openJournal,
  type PermissionRule,
  profileFor,
  type ProviderProfile,
  type RegisteredTool,
  resumeSession,
  secretValues,
  type Session,
  type SessionOptions,
  type ToolPorts,
} from '@attractor/agent';
import { type Client, getModelInfo } from '@attractor/llm';
import type { Agent, AgentConfig, AgentRunOptions, AgentRunResult } from './agent.ts';
import { type Conversation, readConversation } from './native/conversation.ts';
import { inputNumber } from './native/inputs.ts';
import { permissionsOf, type Permissions, type SettingsOfPerson } from './native/permissions.ts';
import { reportOutcomeTool } from './native/report-outcome.ts';
import { storedEvent, type StoredEvent } from './native/stored-event.ts';
import { deltaOf, messagesOf } from './native/translate.ts';

export type NativeAgentOptions = {
  readonly client: Client;
  readonly defaultProvider: string;
  /** Absent: the profile's own. */
  readonly defaultModel?: string;
  /** Permission rules of whoever runs this, beside the mode `acceptEdits` in the run's own worktree. */
  readonly rules?: ReadonlyArray<PermissionRule>;
  /** Whose settings count, and where trust in repositories is kept. Absent: nobody's. */
  readonly settings?: SettingsOfPerson;
  /** Tools and prompt of the model's family. Absent: what suits the run's provider and model. */
  readonly createProfile?: typeof profileFor;
};

const DEFAULTS: AgentConfig = { maxTurns: 50, timeout: 600_000, autoCommit: true, branchPrefix: 'agent/' };

/** Our own loop as an agent. Its conversation is a journal in the run's folder: whatever dies, the next call goes on from it. */
export function createNativeAgent(native: NativeAgentOptions): Agent {
  return {
    type: 'native',
    displayName: 'Attractor',
    isAvailable: async () => {
      try {
        await native.client.provider(native.defaultProvider);
        return { available: true };
      } catch (error) {
        return { available: false, reason: error instanceof Error ? error.message : String(error) };
      }
    },
    getDefaultConfig: () => ({
      ...DEFAULTS,
      provider: native.defaultProvider,
      model: native.defaultModel ?? profileOf(native, { provider: native.defaultProvider }).defaultModel,
    }),
    run: (options) => converse(native, { ...options, inputKey: 'run' }),
    say: (options) => converse(native, options),
  };
}

type Input = AgentRunOptions & { readonly inputKey: string };

async function converse(native: NativeAgentOptions, input: Input): Promise<AgentRunResult> {
  const permissions = permissionsOf(native, input);
  if (!permissions.ok) return broken(permissions.error);
  mkdirSync(input.statePath, { recursive: true, mode: 0o700 });
  let journal: FileJournal;
  try {
    journal = openJournal(join(input.statePath, 'session.jsonl'));
  } catch (error) {
    return broken(error);
  }
  const environment = createLocalExecutionEnvironment(input.projectPath, 'inherit_all', {
    env: input.env,
    sandbox: input.sandbox,
    outputFolder: join(input.statePath, 'outputs'),
  });
  const background = createBackgroundShells({ folder: join(input.statePath, 'shells') });
  try {
    return await goOn(native, input, { journal, environment, background, permissions: permissions.value });
  } catch (error) {
    return broken(error);
  } finally {
    journal.close();
    await background.end();
    await environment.cleanup();
  }
}

type Place = {
  readonly journal: FileJournal;
  readonly environment: ExecutionEnvironment;
  readonly background: BackgroundShells;
  readonly permissions: Permissions;
};

/** Tells what is known, gives the input if it was not given yet, finishes what is unfinished, and reads the result off the journal. */
async function goOn(native: NativeAgentOptions, input: Input, place: Place): Promise<AgentRunResult> {
  const past = place.journal.read();
  for (const stored of past) tell(input, stored);
  const before = readConversation(past, input);
  const number = inputNumber(input.statePath, input.inputKey);
  if (before.inputs > number || (before.inputs === number && before.finished)) return resultOf(before, null);
  // An earlier process may have died in the middle of a change: what it left half done is taken back.
  if (past.length > 0) await place.environment.initialize();
  const options = sessionOptions(native, input, place);
  const session = before.inputs === 0 && past.length === 0 ? createSession(options) : resumeSession(options);
  // Events end with a throw only when the journal failed; the session's own error says so below.
  const told = tellLive(session, input).catch(() => undefined);
  await untilDone(session, input, () => (before.inputs < number ? session.submit(input.prompt) : session.resume()));
  await told;
  return resultOf(readConversation(place.journal.read(), input), session.error(), input.abortSignal);
}

/** A stop ends the conversation's work; a shutdown only lets go of it, as a crash would. */
async function untilDone(session: Session, input: Input, work: () => Promise<void>): Promise<void> {
  const letGo = (): boolean => input.abortSignal.reason === 'shutdown' || input.abortSignal.reason === 'lost_lease';
  const stop = (): void => void (letGo() ? session.close() : session.abort());
  input.abortSignal.addEventListener('abort', stop, { once: true });
  try {
    if (input.abortSignal.aborted) stop();
    else await work();
  } finally {
    input.abortSignal.removeEventListener('abort', stop);
    await session.close();
  }
}

function sessionOptions(
  native: NativeAgentOptions,
  input: Input,
  { journal, environment, background, permissions }: Place,
): SessionOptions & { readonly journal: FileJournal } {
  const { config } = input;
  const provider = config.provider ?? native.defaultProvider;
  // Every call brings the conversation that it is made in.
  const ports: ToolPorts = { history: () => [], web: {}, ...(input.readOnly ? {} : { background }) };
  const profile = profileOf(native, { provider, model: config.model ?? native.defaultModel, ports });
  const tools = profile.toolRegistry.list().filter((tool) => !input.readOnly || onlyReads(tool));
  const model = config.model ?? native.defaultModel ?? profile.defaultModel;
  return {
    client: native.client,
    environment,
    journal,
    journalFor: journalsBeside(journal.path),
    agents: BUILT_IN_AGENTS,
    profile: { ...profile, toolRegistry: createToolRegistry([...tools, reportOutcomeTool(input)]) },
    config: {
      model,
      provider,
      workingDirectory: input.projectPath,
      ...windowOf(model),
      ...(config.maxTurns === undefined ? {} : { maxTurns: config.maxTurns }),
    },
    compaction: {},
    memoryFile: memoryFileOf(input.projectPath),
    ...permissions,
    approve: (request) => askPerson(input, request),
  };
}

/** Which pages may be read is for the policy to say. */
function onlyReads({ readOnly, definition }: RegisteredTool): boolean {
  return readOnly === true || houseNameOf(definition.name) === 'web_fetch';
}

/** A model that nobody listed has a window that nobody knows: it is compacted when the provider says that it is full. */
function windowOf(model: string): { readonly contextWindowSize?: number } {
  const window = getModelInfo(model)?.contextWindow;
  return window === undefined ? {} : { contextWindowSize: window };
}

async function askPerson(input: Input, request: ApprovalRequest): Promise<ApprovalAnswer> {
  // What is asked is stored and shown.
  const { value: redacted } = createRedactor({ secrets: secretValues(input.env) });
  const { toolCallId, toolName, args, contentHash, judgement } = request;
  const { shown, suggestions } = redacted({ shown: request.shown, suggestions: request.suggestions });
  const answer = await input.approve({
    toolCallId,
    toolName,
    input: redacted(args),
    contentHash,
    shown,
    ...(judgement === undefined ? {} : { reason: judgement.reason }),
    ...(judgement?.part === undefined ? {} : { part: redacted(judgement.part) }),
    // A rule that holds a mask would mean something else.
    suggestions: suggestions === request.suggestions ? suggestions : [],
  });
  // A wait that was ended by a stop is no answer: the call stays open for whoever goes on.
  if (input.abortSignal.aborted) return new Promise(() => undefined);
  if (!answer.allowed) return { ...answer, contentHash };
  const { input: changed, remember } = answer;
  return {
    allowed: true,
    contentHash,
    ...(changed === undefined ? {} : { args: changed }),
    ...(remember === undefined ? {} : { remember }),
  };
}

async function tellLive(session: Session, input: Input): Promise<void> {
  for await (const event of session.events()) {
    const delta = deltaOf(event);
    if (delta === null) tell(input, storedEvent(event));
    else input.onDelta(delta);
  }
}

function tell(input: Input, stored: StoredEvent): void {
  for (const message of messagesOf(stored)) input.onMessage(message);
}

function resultOf(conversation: Conversation, failure: Error | null, signal?: AbortSignal): AgentRunResult {
  const { finalText, report, reportText, tokenUsage } = conversation;
  const told = {
    finalText,
    tokenUsage,
    ...(report === null
      ? {}
      : {
          outcome: report.outcome,
          payload: report.payload,
          ...(reportText === '' ? {} : { outcomeText: reportText }),
        }),
  };
  const error = errorOf(conversation, failure, signal);
  return error === null ? { ...told, exitCode: 0 } : { ...told, exitCode: 1, error };
}

function errorOf(
  { report, reachedLimit, finished }: Conversation,
  failure: Error | null,
  signal?: AbortSignal,
): NonNullable<AgentRunResult['error']> | null {
  if (signal?.aborted === true)
    return { code: 'stopped', message: `The run was stopped (${String(signal.reason)})`, retryable: true };
  if (failure !== null) return describe(failure);
  if (reachedLimit && report === null)
    return { code: 'turn_limit', message: 'The agent reached its limit of turns before it was done', retryable: false };
  return finished
    ? null
    : { code: 'unfinished', message: 'The conversation ended before its input was answered', retryable: true };
}

function describe(error: Error): NonNullable<AgentRunResult['error']> {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  const wait = 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
  return {
    code,
    message: error.message,
    retryable: 'retryable' in error && error.retryable === true,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

function broken(error: unknown): AgentRunResult {
  const failure = error instanceof Error ? error : new Error(String(error));
  const retryable = failure instanceof JournalError;
  return {
    exitCode: 1,
    finalText: '',
    tokenUsage: { inputTokens: 0, outputTokens: 0, totalCost: null },
    error: { ...describe(failure), retryable },
  };
}

type Wanted = { readonly provider: string; readonly model?: string | undefined; readonly ports?: ToolPorts };

function profileOf(
  { createProfile = profileFor }: NativeAgentOptions,
  { provider, model, ports = {} }: Wanted,
): ProviderProfile {
  return createProfile(provider, model, { ports });
}
