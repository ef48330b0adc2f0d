import type { Agent, AgentRunOptions, AgentRunResult } from '@attractor/adapters';
import { judgePayload, readPayload } from '../outcomes/schemas.ts';
import { statePath } from './01-prepare.ts';
import { watchRun } from './05-monitor.ts';
import { confined } from './confinement.ts';
import { openMessageLog } from './message-log.ts';
import { LetGo, resultOf, type RunContext, type Talk } from './run-context.ts';
import { askForTool } from './tool-approval.ts';

const READ_ONLY_MODES: ReadonlySet<string> = new Set(['plan', 'review', 'investigate', 'design']);

/** One exchange with the run's agent: the run's prompt, or with `inputKey` one more input in the same conversation. */
export async function talkToAgent(
  context: RunContext,
  input: { readonly prompt: string; readonly inputKey?: string },
): Promise<Talk> {
  const { config, agentType } = resultOf(context, 'configure');
  const agent = context.services.agents.get(agentType);
  if (agent === undefined) throw new Error(`The agent ${agentType} is gone`);
  const log = openMessageLog(context);
  const watch = watchRun(context, config.timeout);
  try {
    const options: Omit<AgentRunOptions, 'sandbox'> = {
      ...optionsFor(context, input.prompt),
      config,
      judgeOutcome: (outcome, payload) => judgePayload(outcome, readPayload(payload)),
      onMessage: log.add,
      onDelta: (delta) => context.services.fanOut({ taskId: context.task.id, runId: context.state.run.id, delta }),
      approve: (request) => watch.paused(() => askForTool(context, request, watch.signal)),
      abortSignal: watch.signal,
      onPidAssigned: watch.guardProcess,
    };
    const result = await confined(context, options.projectPath, (allowed) =>
      'refused' in allowed
        ? Promise.resolve(failed('no_sandbox', allowed.refused))
        : watch.untilEnd(callAgent(agent, { ...options, ...allowed }, input.inputKey)),
    );
    await log.drained();
    if (context.letGo.aborted) throw new LetGo(String(context.letGo.reason));
    return { result, endedBy: watch.endedBy() };
  } finally {
    watch.stop();
  }
}

function optionsFor(
  context: RunContext,
  prompt: string,
): Pick<
  AgentRunOptions,
  'runId' | 'projectPath' | 'repositoryPath' | 'prompt' | 'outcomes' | 'statePath' | 'readOnly' | 'env'
> {
  const { services, task, state, project } = context;
  const { worktree } = resultOf(context, 'prepare');
  const { author } = services;
  return {
    runId: state.run.id,
    projectPath: worktree.path,
    repositoryPath: project.path,
    prompt,
    outcomes: resultOf(context, 'context').outcomes,
    statePath: statePath(context),
    readOnly: READ_ONLY_MODES.has(state.run.mode),
    env: {
      ...services.env,
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
      ATTRACTOR_PROJECT_ID: task.projectId,
      ATTRACTOR_TASK_ID: task.id,
      ATTRACTOR_WORKDIR: worktree.path,
    },
  };
}

/** An agent that throws broke its word; the run still ends in an orderly way. */
async function callAgent(
  agent: Agent,
  options: AgentRunOptions,
  inputKey: string | undefined,
): Promise<AgentRunResult> {
  try {
    if (inputKey === undefined) return await agent.run(options);
    if (agent.say === undefined) throw new Error(`${agent.displayName} takes no further input`);
    return await agent.say({ ...options, inputKey });
  } catch (error) {
    if (error instanceof LetGo) throw error;
    return failed('threw', error instanceof Error ? error.message : String(error));
  }
}

function failed(code: string, message: string): AgentRunResult {
  return {
    exitCode: 1,
    finalText: '',
    tokenUsage: { inputTokens: 0, outputTokens: 0, totalCost: null },
    error: { code, message, retryable: false },
  };
}
