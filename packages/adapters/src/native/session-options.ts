import { defined } from '@attractor/base';
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type BackgroundShells,
  BUILT_IN_AGENTS,
  createToolRegistry,
  type ExecutionEnvironment,
  memoryFileOf,
  profileFor,
  type ProviderProfile,
  type SessionOptions,
  type ToolPorts,
} from '@attractor/agent';
import { createRedactor, secretValues } from '@attractor/redact';
import { type FileJournal, journalsBeside } from '@attractor/journal';
import { isOfferedWhereNothingChanges } from '@attractor/tool-table';
import { type Client, getModelInfo } from '@attractor/llm';
import type { AgentRunOptions } from '../agent.ts';
import type { BroughtAlong } from './brought-along.ts';
import type { NativeAgentOptions } from './native-options.ts';
import type { Permissions } from './permissions.ts';
import { reportOutcomeTool } from './report-outcome.ts';

/** One input of a conversation; a key that was given before is the same input. */
export type Input = AgentRunOptions & { readonly inputKey: string };

/** What a call opened and closes again. */
export type Place = {
  readonly journal: FileJournal;
  readonly environment: ExecutionEnvironment;
  readonly background: BackgroundShells;
  readonly permissions: Permissions;
};

export type Equipped = Place & { readonly brought: BroughtAlong };

/** Everything that the session of one call is made of. */
export async function sessionOptions(
  native: NativeAgentOptions,
  input: Input,
  { journal, environment, background, permissions, brought }: Equipped,
): Promise<SessionOptions & { readonly journal: FileJournal }> {
  const { config } = input;
  const provider = config.provider ?? native.defaultProvider;
  // Every call brings the conversation that it is made in.
  const ports: ToolPorts = { history: () => [], web: {}, ...(input.readOnly ? {} : { background }), ...brought.ports };
  const profile = await brought.equip(
    profileOf(native, { provider, model: config.model ?? native.defaultModel, ports }),
  );
  brought.bind(permissions.policy);
  const tools = profile.toolRegistry.list().filter((tool) => !input.readOnly || isOfferedWhereNothingChanges(tool));
  const model = config.model ?? native.defaultModel ?? profile.defaultModel;
  return {
    client: askingFirst(native.client, input),
    environment,
    journal,
    journalFor: journalsBeside(journal.path),
    agents: [...BUILT_IN_AGENTS, ...brought.agents],
    profile: { ...profile, toolRegistry: createToolRegistry([...tools, reportOutcomeTool(input)]) },
    config: {
      model,
      provider,
      workingDirectory: input.projectPath,
      ...windowOf(model),
      ...defined({ maxTurns: config.maxTurns, maxToolRoundsPerInput: input.maxToolRounds }),
    },
    compaction: {},
    memoryFile: memoryFileOf(input.projectPath),
    ...permissions,
    ...(brought.hooks === null ? {} : { hooks: brought.hooks }),
    ...(brought.mcp === null ? {} : { toolSources: [brought.mcp] }),
    approve: (request) => askPerson(input, request),
  };
}

/** Subagents and compaction ask through it too. */
function askingFirst(client: Client, { beforeTurn }: Input): Client {
  if (beforeTurn === undefined) return client;
  return {
    ...client,
    stream: async function* (request) {
      await beforeTurn();
      yield* client.stream(request);
    },
    complete: async (request) => {
      await beforeTurn();
      return client.complete(request);
    },
  };
}

/** A model that nobody listed has a window that nobody knows: it is compacted when the provider says that it is full. */
function windowOf(model: string): { readonly contextWindowSize?: number } {
  const window = getModelInfo(model)?.contextWindow;
  return defined({ contextWindowSize: window });
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
    ...defined({ args: changed, remember }),
  };
}

type Wanted = { readonly provider: string; readonly model?: string | undefined; readonly ports?: ToolPorts };

export function profileOf(
  { createProfile = profileFor }: NativeAgentOptions,
  { provider, model, ports = {} }: Wanted,
): ProviderProfile {
  return createProfile(provider, model, { ports });
}
