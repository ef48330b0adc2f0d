import { type AgentSessionOptions, profileFor, type SessionPlace } from '@attractor/agent';
import { defined } from '@attractor/base';
import type { ApprovalAnswer, ApprovalRequest, PermissionMode } from '@attractor/policy';
import { createRedactor, secretValues } from '@attractor/redact';
import { type Client, defaultModel } from '@attractor/llm';
import type { AgentRunOptions } from '../agent.ts';
import { redactApproval } from '../redact-approval.ts';
import type { NativeAgentOptions } from './native-options.ts';
import { reportOutcomeTool } from '../run-tools/report-outcome.ts';

/** One input of a conversation; a repeated key is the same input. */
export type Input = AgentRunOptions & { readonly inputKey: string };

/**
 * The session of one call. Unless another mode was chosen for the run, it may do the following without asking: edits in its worktree, where
 * they can be undone and are reviewed, commands that only read, the task's checks, and what the person's rules allow.
 */
export function sessionOptions(native: NativeAgentOptions, input: Input, place: SessionPlace): AgentSessionOptions {
  const { config, setup, checks, limit, hostFiles, maxToolRounds, confirmStart } = input;
  const provider = config.provider ?? native.defaultProvider;
  return {
    folder: input.projectPath,
    isFolderPassing: true,
    client: askingFirst(native.client, input),
    provider,
    model: config.model ?? native.defaultModel ?? modelOf(native, provider),
    ...defined({ setup, checks, limit, hostFiles, profile: native.createProfile, confirmStart }),
    place,
    mode: modeOf(input, config.permissionMode).mode,
    readOnly: input.readOnly,
    sandbox: input.sandbox ?? 'none',
    variables: input.env,
    tools: [reportOutcomeTool(input)],
    approve: (request) => askPerson(input, request),
    config: defined({
      maxTurns: config.maxTurns,
      maxToolRoundsPerInput: maxToolRounds,
      reasoningEffort: config.effort,
    }),
    signal: input.abortSignal,
  };
}

/** A mode that the person's settings disable is not used, and that is said. */
export function modeOf(
  { setup }: Pick<Input, 'setup'>,
  wanted: PermissionMode = 'acceptEdits',
): { readonly mode: PermissionMode; readonly notice: string | null } {
  if (wanted !== 'bypassPermissions' || setup?.isBypassDisabled !== true) return { mode: wanted, notice: null };
  return { mode: 'acceptEdits', notice: 'Your settings disable bypassPermissions: the run keeps to acceptEdits.' };
}

/** The model for a provider if nobody chose one: the same as for a line without one, unless the host has profiles of its own. */
export function modelOf({ createProfile }: NativeAgentOptions, provider: string): string {
  if (createProfile !== undefined) return createProfile(provider).defaultModel;
  return defaultModel(provider) ?? profileFor(provider).defaultModel;
}

/** Subagents and compaction use it too. */
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

async function askPerson({ env, approve, abortSignal }: Input, request: ApprovalRequest): Promise<ApprovalAnswer> {
  const answer = await approve(redactApproval(createRedactor({ secrets: secretValues(env) }), request));
  // A wait that was ended by a stop is no answer: the call stays open for the next process.
  return abortSignal.aborted ? new Promise(() => undefined) : answer;
}
