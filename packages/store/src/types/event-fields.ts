import type { AgentMessage } from '@attractor/adapters';
import type { PipelineDefinition, TransitionOption } from './pipeline.ts';
import type { Project } from './project.ts';
import { isPrompt } from './prompt.ts';
import { type AgentRun, type CheckResult, RUN_STEPS } from './run.ts';
import { type Is, known, list, oneOf, record, text, yesOrNo } from './shape.ts';
import type { Artifact, Attachment, Task, TaskNote, TaskPhase } from './task.ts';
import type { TaskTemplate } from './template.ts';

/** Things that events carry whole, each recognised by a few fields. */
export const task = known<Task>({ id: text, projectId: text, title: text, status: text, pipelineId: text });
export const project = known<Project>({ id: text, name: text, path: text });
export const run = known<AgentRun>({ id: text, taskId: text, mode: text, status: text, startedAt: text });
export const prompt = isPrompt;
export const artifact = known<Artifact>({ id: text, taskId: text, type: text, label: text });
export const attachment = known<Attachment>({ id: text, taskId: text, name: text });
export const check = known<CheckResult>({ name: text, command: text, phase: text, passed: yesOrNo });
export const note = known<TaskNote>({ id: text, taskId: text, text });
export const phase = known<TaskPhase>({ id: text, taskId: text, name: text, status: text });
export const pipeline = known<PipelineDefinition>({ id: text });
export const template = known<TaskTemplate>({ id: text, name: text });
export const option = known<TransitionOption>({
  transition: record,
  allowed: yesOrNo,
  blockedBy: list(known({ guard: text })),
});
export const step = oneOf(RUN_STEPS);

/** Why a run failed: our code for it, and the agent's own if it has one. */
export const failure = known<{ readonly code: string; readonly message: string; readonly agentCode?: string }>({
  code: text,
});

export const answer = known<{ readonly questionId: string; readonly answer: string }>({
  questionId: text,
  answer: text,
});

type MessageOf<Kind> = Extract<AgentMessage, { readonly kind: Kind }>;

const MESSAGES: { readonly [Kind in AgentMessage['kind']]: Is<MessageOf<Kind>> } = {
  text: known<MessageOf<'text'>>({ key: text, text }),
  thinking: known<MessageOf<'thinking'>>({ key: text, text }),
  tool_call: known<MessageOf<'tool_call'>>({ key: text, toolCallId: text, toolName: text, input: record }),
  tool_result: known<MessageOf<'tool_result'>>({ key: text, toolCallId: text, output: text, isError: yesOrNo }),
  usage: known<MessageOf<'usage'>>({ key: text, model: text, usage: record }),
  notice: known<MessageOf<'notice'>>({ key: text, level: text, text }),
};

export const message: Is<AgentMessage> = (value): value is AgentMessage =>
  record(value) && isKind(value['kind']) && MESSAGES[value['kind']](value);

function isKind(kind: unknown): kind is AgentMessage['kind'] {
  return typeof kind === 'string' && Object.hasOwn(MESSAGES, kind);
}
