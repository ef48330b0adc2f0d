import {
  type AgentSession,
  type AgentSessionOptions,
  openAgentSession,
  type SessionConfig,
  type SnapshotKeeper,
} from '@attractor/agent';
import { defined, failed, nearestName, type Result } from '@attractor/base';
import type { HeldSession } from '@attractor/journal';
import type { Client } from '@attractor/llm';
import type { AgentDefinition } from '@attractor/settings';
import { hostVariables } from '@attractor/system';
import type { Chosen } from './chosen-agent.ts';
import { askUserBy, previewsIn } from './control/ask-user.ts';
import { approveBy, type Decide, type DecisionEffects } from './control/can-use-tool.ts';
import { elicitByControl } from './control/elicit.ts';
import type { HostServers } from './control/host-servers.ts';
import type { Initialized } from './control/initialize.ts';
import type { HeadlessInput } from './headless-input.ts';
import type { PresentedPlan } from './presented-plan.ts';
import type { StructuredOutput } from './structured-output.ts';

/** What the session is opened with, besides what the run was started with. */
export type Means = {
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
  /** Whether another conversation begins in its place. */
  readonly leaving: { readonly isCleared: boolean };
  readonly isAfterClear: boolean;
};

/** A session that nobody can ask in the way that was asked for is not begun. */
export async function openHeadlessSession(input: HeadlessInput, means: Means): Promise<Result<AgentSession>> {
  const opened = await openWith(input, means);
  const missing = opened.ok ? missingDecider(input.flags.permissionPromptTool, opened.value) : null;
  if (!opened.ok || missing === null) return opened;
  await opened.value.close();
  return failed({ code: 'not_found', message: missing, retryable: false });
}

async function openWith(input: HeadlessInput, means: Means): Promise<Result<AgentSession>> {
  const { flags, place, cwd, furtherFolders, provider, rules, sandbox, version, signal, control } = input;
  const { client, keeper, plan, structured, initialized, hostServers, decide, effects, agents, chosen } = means;
  const { setup, tools: onlyTools, denied } = chosen;
  const model = means.isAfterClear ? input.model : chosen.model;
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
    ...defined({ questionPreviews: previewsIn(setup.env ?? hostVariables()) }),
    beforeChange: keeper.beforeChange,
    ...(flags.init === true ? { setupTrigger: 'init' as const } : {}),
    ...(flags.maintenance === true ? { setupTrigger: 'maintenance' as const } : {}),
    ...systemTextOf(input, initialized, chosen),
    circumstances: {
      promptsBy: 'sdk',
      ...defined({ agentType: flags.agent }),
      ...(flags.forkSession === true ? { begunBy: 'fork' as const } : {}),
      ...(means.isAfterClear ? { begunBy: 'clear' as const } : {}),
      exit: () => (means.leaving.isCleared ? 'clear' : 'other'),
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
