import { existsSync } from 'node:fs';
import { isRecord } from '@attractor/base';
import { startsAgent } from '@attractor/pipeline';
import { type AgentSources, findAgent, unknownDefault } from '@attractor/project-config';
import {
  findPipeline,
  findProject,
  findPrompt,
  findTask,
  findTaskOverrides,
  listProjects,
  refuse,
  type Result,
  type Store,
} from '@attractor/store';
import { chosenSubtasks } from '../prompts/chosen-subtasks.ts';
import type { ProjectCommands } from '../projects/contract.ts';
import type { PipelineCommands } from '../pipelines/contract.ts';
import type { PromptCommands } from '../prompts/contract.ts';
import type { RunCommands } from '../runs/contract.ts';
import type { ScheduleCommands } from '../schedules/contract.ts';
import type { SpendCommands } from '../spend/contract.ts';
import type { TaskCommands } from '../tasks/contract.ts';

/** Every command that can name an agent. */
export type NamingCommands = Pick<RunCommands, 'startAgent'> &
  Pick<SpendCommands, 'startAttempts'> &
  Pick<TaskCommands, 'transition' | 'createTask' | 'startCoding' | 'updateTask' | 'bulkUpdate' | 'splitTask'> &
  Pick<ProjectCommands, 'updateProject'> &
  Pick<PipelineCommands, 'savePipeline'> &
  Pick<ScheduleCommands, 'saveSchedule'> &
  Pick<PromptCommands, 'answerPrompt'>;

export type AgentNames = Omit<AgentSources, 'projectPath'> & { readonly store: Store };

/**
 * The same commands, which refuse an agent that nobody could start while whoever named it is still there to be told. Files are read for
 * that, so it happens before the command's transaction.
 */
export function withKnownAgents(commands: NamingCommands, names: AgentNames): NamingCommands {
  const { read } = names.store;
  const inProject = (projectId: string, named: Named) => unknownIn(names, projectId, named);
  const ofTask = async (taskId: string, named: Named) => {
    const task = named.some(isNamed) ? await findTask(read, taskId) : null;
    return task === null ? null : inProject(task.projectId, named);
  };
  const begunBy = async (taskId: string, named: Named) => {
    const task = await findTask(read, taskId);
    if (task === null) return null;
    const own = (await findTaskOverrides(read, taskId)).agentType;
    return begunIn(names, task.projectId, named.length === 0 ? [own] : named.map((name) => name ?? own));
  };
  return {
    transition: async (input, actor) =>
      ((await startsByMove(read, input)) ? await begunBy(input.taskId, []) : null) ?? commands.transition(input, actor),
    startAgent: async (input, actor) =>
      (await begunBy(input.taskId, [input.overrides?.agentType])) ?? commands.startAgent(input, actor),
    startAttempts: async (input, actor) =>
      (await begunBy(input.taskId, (input.attempts ?? []).map(agentType))) ?? commands.startAttempts(input, actor),
    createTask: async (input, actor) =>
      (await begunIn(names, input.projectId, [input.overrides?.agentType])) ?? commands.createTask(input, actor),
    startCoding: async (input, actor) =>
      (await begunIn(names, input.projectId, [input.overrides?.agentType])) ?? commands.startCoding(input, actor),
    updateTask: async (input, actor) =>
      (await ofTask(input.taskId, [input.edit.overrides?.agentType])) ?? commands.updateTask(input, actor),
    bulkUpdate: async (input, actor) => {
      const named = [input.edit?.overrides?.agentType];
      for (const taskId of input.taskIds) {
        const refused = await ofTask(taskId, named);
        if (refused !== null) return refused;
      }
      return commands.bulkUpdate(input, actor);
    },
    splitTask: async (input, actor) =>
      (await ofTask(input.taskId, input.subtasks.map(agentType))) ?? commands.splitTask(input, actor),
    answerPrompt: async (input, actor) => {
      const { plan: _not, ...answer } = input.answer;
      const prompt = answer.decision === 'approve' ? await findPrompt(read, input.promptId) : null;
      if (prompt?.type !== 'split_proposal' || prompt.status !== 'pending') return commands.answerPrompt(input, actor);
      const named = chosenSubtasks(prompt.payload, answer).map(agentType);
      return (await ofTask(prompt.taskId, named)) ?? commands.answerPrompt(input, actor);
    },
    updateProject: async (id, edit, actor) =>
      (await inProject(id, [edit.config?.defaultAgentType])) ?? commands.updateProject(id, edit, actor),
    saveSchedule: async (input, actor) => {
      const { action, isEnabled = true } = input;
      const named = isEnabled && action.kind === 'create' ? [action.task.overrides?.agentType] : [];
      return (await inProject(input.projectId, named)) ?? commands.saveSchedule(input, actor);
    },
    savePipeline: async (definition, actor) =>
      (await unknownInPipeline(names, definition)) ?? commands.savePipeline(definition, actor),
  };
}

/** Whether the move leads an agent to work: then there has to be one that can be started. */
async function startsByMove(
  read: Store['read'],
  { taskId, to }: { readonly taskId: string; readonly to: string },
): Promise<boolean> {
  const task = await findTask(read, taskId);
  const pipeline = task === null ? null : await findPipeline(read, task.pipelineId, task.pipelineVersion);
  const taken = pipeline?.transitions.filter((one) => one.to === to && (one.from === task?.status || one.from === '*'));
  return (taken ?? []).some(({ hooks = [] }) => hooks.some(startsAgent));
}

type Named = ReadonlyArray<string | null | undefined>;
type Refused = Exclude<Result<never>, { readonly ok: true }>;

const isNamed = (name: string | null | undefined) => typeof name === 'string';
const agentType = (choice: { readonly agentType?: string | undefined }) => choice.agentType;

/** Null where all are known, where another machine has the repository, and where there is no such project: the command tells that itself. */
async function unknownIn(names: AgentNames, projectId: string, named: Named): Promise<Refused | null> {
  const asked = new Set(named.filter(isNamed));
  const project = asked.size === 0 ? null : await findProject(names.store.read, projectId);
  if (project === null || !existsSync(project.path)) return null;
  for (const name of asked) {
    const found = await findAgent({ ...names, projectPath: project.path }, name);
    if (!found.ok) return found;
  }
  return null;
}

/** The same for what an agent will work on: where none is named, the one that a file makes the default has to exist. */
async function begunIn(names: AgentNames, projectId: string, named: Named): Promise<Refused | null> {
  const refused = await unknownIn(names, projectId, named);
  if (refused !== null || named.every(isNamed)) return refused;
  const project = await findProject(names.store.read, projectId);
  return project === null || !existsSync(project.path) ? null : unknownDefault({ ...names, project });
}

/** A pipeline is for every project: an agent that one of them knows may be named. */
async function unknownInPipeline(names: AgentNames, definition: unknown): Promise<Refused | null> {
  for (const { name, path } of agentsIn(definition)) {
    const known = await findAgent({ ...names, projectPath: null }, name);
    if (known.ok || (await isKnownSomewhere(names, name))) continue;
    return refuse(known.error.code, `${path}: ${known.error.message}`, known.error.detail);
  }
  return null;
}

async function isKnownSomewhere(names: AgentNames, name: string): Promise<boolean> {
  for (const { path } of await listProjects(names.store.read))
    if (existsSync(path) && (await findAgent({ ...names, projectPath: path }, name)).ok) return true;
  return false;
}

/** What is no pipeline is told by the command itself. */
function agentsIn(definition: unknown): ReadonlyArray<{ readonly name: string; readonly path: string }> {
  const transitions = partsOf(definition, 'transitions');
  return transitions.flatMap((transition, index) =>
    partsOf(transition, 'hooks').flatMap((hook, at) => {
      const params = isRecord(hook) && isRecord(hook['params']) ? hook['params'] : {};
      const { agentType: name } = params;
      return typeof name === 'string' ? [{ name, path: `$.transitions[${index}].hooks[${at}].params.agentType` }] : [];
    }),
  );
}

function partsOf(whole: unknown, name: string): ReadonlyArray<unknown> {
  const parts = isRecord(whole) ? whole[name] : null;
  return Array.isArray(parts) ? parts : [];
}
