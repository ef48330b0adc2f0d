import { createToolRegistry, profileFor, type ProviderProfile, type RegisteredTool } from '@attractor/agent';
import { defined } from '@attractor/base';
import type { ExecuteOptions } from './execute-options.ts';
import { FILE_TOOLS, publicName } from './file-tools/definitions.ts';
import { createFileTools } from './file-tools/file-tools.ts';
import type { FileToolAnswer } from './file-tools/run.ts';
import type { ProviderClient } from './provider-client.ts';
import { failure, isReadOnly, runCall } from './run-call.ts';
import type { AgentSpec } from './spec/agent-spec.ts';

export type ProfileSource = Pick<ExecuteOptions, 'spec' | 'tools' | 'canUse'> & {
  readonly systemText: string;
  readonly client: ProviderClient;
};

/** The profile of a session that runs an agent: the file tools, one call at a time, and the agent's own system prompt. */
export function agentProfile(source: ProfileSource): typeof profileFor {
  const tools = createToolRegistry(FILE_TOOLS.map(({ name }) => toolNamed(name, source)));
  // Every name finds a tool, so that calls of unknown tools are refused in the same JSON format.
  const get = (name: string): RegisteredTool => tools.get(publicName(name) ?? name) ?? toolNamed(name, source);
  return (...chosen): ProviderProfile => ({
    ...profileFor(...chosen),
    toolRegistry: { ...tools, get },
    supportsParallelToolCalls: false,
    systemText: source.systemText,
  });
}

/** The tools that an agent may use. */
export function toolsOf({ tools, permissionMode }: AgentSpec): typeof FILE_TOOLS {
  return FILE_TOOLS.filter(
    ({ name, readOnly }) => (tools === undefined || tools.includes(name)) && (permissionMode !== 'plan' || readOnly),
  );
}

/** The file tools check their arguments themselves and report problems in their own JSON format. */
const ANY_ARGUMENTS = { type: 'object' };

const ORPHANED: FileToolAnswer = { output: 'not run: the process stopped before this began', isError: true };

function toolNamed(name: string, { spec, tools, canUse, client }: ProfileSource): RegisteredTool {
  const offered = toolsOf(spec).map((tool) => tool.name);
  return {
    definition: { name, description: '', parameters: ANY_ARGUMENTS },
    readOnly: isReadOnly(name),
    serial: true,
    refusal: (reason) => failure('invalid_arguments', reason).output,
    executor: async (input, environment, { toolCallId: id, signal = client.host.signal } = { toolCallId: '' }) => {
      if (client.isOrphaned()) return ORPHANED;
      const runner = { tools: tools ?? createFileTools(environment), offered, ...defined({ canUse }) };
      return runCall(runner, { id, name, input, signal });
    },
  };
}
