import { existsSync } from 'node:fs';
import { agentsNamed, agentsStarted } from '@attractor/pipeline';
import { type AgentSources, findAgent, unknownDefault } from '@attractor/project-config';
import {
  findPipeline,
  findProject,
  findPrompt,
  findRunRequest,
  findTask,
  findTaskOverrides,
  listProjects,
  type Prompt,
  type PromptAnswer,
  refuse,
  type Result,
  type Store,
} from '@attractor/store';
import { chosenSubtasks } from '../prompts/chosen-subtasks.ts';
import { targetOf } from '../prompts/follow-answer.ts';
import { readAnswer } from '../prompts/read-answer.ts';
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
  const { inProject, ofTask, begunBy, begunByMove, begunByAnswer } = refusals(names);
  return {
    transition: async (input, actor) =>
      (await begunByMove(input.taskId, input.to)) ?? commands.transition(input, actor),
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
      const prompt = await findPrompt(names.store.read, input.promptId);
      const given = prompt?.status === 'pending' ? readAnswer(prompt, input.answer) : null;
      const refused =
        prompt !== null && given !== null && 'answer' in given ? begunByAnswer(prompt, given.answer) : null;
      return (await refused) ?? commands.answerPrompt(input, actor);
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

/** Why nothing that leads agents to work can be done, by what it names; null: it can. */
function refusals(names: AgentNames) {
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
  const begunByMove = async (taskId: string, to: string) => {
    const task = await findTask(read, taskId);
    const pipeline = task === null ? null : await findPipeline(read, task.pipelineId, task.pipelineVersion);
    if (task === null || pipeline === null) return null;
    const auto = (await findProject(read, task.projectId))?.config.autoRun?.[to];
    const started = [...agentsStarted(pipeline, { from: task.status, to }), ...(auto === undefined ? [] : [undefined])];
    return started.length === 0 ? null : begunBy(taskId, started);
  };
  const begunByAnswer = async (prompt: Prompt, answer: PromptAnswer) => {
    const { taskId, runId, payload } = prompt;
    if (prompt.type === 'split_proposal' && answer.decision === 'approve')
      return ofTask(taskId, chosenSubtasks(prompt.payload, answer).map(agentType));
    const to = targetOf(prompt, answer);
    if (to !== null) return begunByMove(taskId, to);
    if (runId === null || !('again' in payload) || payload.again === undefined) return null;
    return begunBy(taskId, [(await findRunRequest(read, runId)).overrides.agentType]);
  };
  return { inProject, ofTask, begunBy, begunByMove, begunByAnswer };
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
  return project === null ? null : unknownDefault({ ...names, project });
}

/** A pipeline is for every project: an agent that one of them knows may be named. */
async function unknownInPipeline(names: AgentNames, definition: unknown): Promise<Refused | null> {
  for (const { name, path } of agentsNamed(definition)) {
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
