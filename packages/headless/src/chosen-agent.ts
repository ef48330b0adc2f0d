import { agentNamed, BUILT_IN_AGENTS } from '@attractor/agent';
import { done, failed, type Result } from '@attractor/base';
import { modelNamed } from '@attractor/llm';
import { parseRule, type PermissionRule } from '@attractor/policy';
import type { AgentDefinition, SessionSetup } from '@attractor/settings';
import type { HeadlessInput } from './headless-input.ts';

/** What the session has of the agent that it is opened as. */
export type Chosen = {
  readonly setup: SessionSetup;
  readonly model: string | undefined;
  readonly tools: ReadonlyArray<string> | undefined;
  readonly denied: ReadonlyArray<PermissionRule>;
  /** Empty: it has none. */
  readonly prompt: string;
  readonly effort: AgentDefinition['effort'];
  /** Said before the first prompt of a new session. */
  readonly initialPrompt: string | undefined;
};

/** `--agent`: its prompt, its tools and, unless another is given, its model. It never has more than the session would have. */
export function chosenAgent(input: HeadlessInput, given: ReadonlyArray<AgentDefinition>): Result<Chosen> {
  const { flags, setup, model, cwd } = input;
  const none = { tools: flags.tools, denied: [], prompt: '', effort: undefined, initialPrompt: undefined };
  if (flags.agent === undefined) return done({ setup, model, ...none });
  const all = [...given, ...setup.files.agents.map(({ definition }) => definition), ...BUILT_IN_AGENTS];
  // The first of a name counts here.
  const agent = agentNamed(all.toReversed(), flags.agent);
  if (agent === undefined) {
    const known = [...new Set(all.map(({ name }) => name))].join(', ');
    return failed({
      code: 'not_found',
      message: `there is no agent ${flags.agent}. Known: ${known}.`,
      retryable: false,
    });
  }
  const origin = { scope: 'flag', file: '--agent', line: null, root: cwd } as const;
  const rules = (agent.disallowedTools ?? []).map((text) => parseRule(text, 'deny', origin));
  const [wrong] = rules.flatMap((rule) => (rule.ok ? [] : [rule.error.message]));
  if (wrong !== undefined)
    return failed({ code: 'invalid', message: `--agent ${agent.name}: ${wrong}`, retryable: false });
  return done({
    setup: usesServers(agent) ? setup : { ...setup, servers: new Map() },
    model: flags.model === undefined && isOwnModel(agent.model) ? modelNamed(agent.model) : model,
    tools: flags.tools ?? agent.tools,
    denied: rules.flatMap((rule) => (rule.ok ? [rule.rule] : [])),
    prompt: agent.prompt,
    effort: agent.effort,
    initialPrompt: agent.initialPrompt,
  });
}

function usesServers({ tools }: AgentDefinition): boolean {
  return tools === undefined || tools.some((name) => name.startsWith('mcp__'));
}

function isOwnModel(model: string | undefined): model is string {
  return model !== undefined && model !== 'inherit';
}
