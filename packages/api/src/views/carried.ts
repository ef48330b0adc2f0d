import { isRecord } from '@attractor/base';
import type {
  AgentRun,
  Artifact,
  CheckResult,
  PlatformEvent,
  Project,
  Prompt,
  RunStep,
  Task,
} from '@attractor/platform';
import type { TranscriptMessage } from '../messages.ts';
import { STEPS } from '../runs.ts';

/**
 * Events carry whole values. What is here decides, by a few fields, whether an event's data holds one; anything
 * unknown or broken reads as null, so that a newer log never breaks an older viewer.
 */
export const carriedTask = (event: PlatformEvent): Task | null =>
  carried<Task>(event.data.task, {
    id: 'string',
    projectId: 'string',
    title: 'string',
    status: 'string',
    pipelineId: 'string',
  });

export const carriedProject = (event: PlatformEvent): Project | null =>
  carried<Project>(event.data.project, { id: 'string', name: 'string', path: 'string' });

export const carriedRun = (event: PlatformEvent): AgentRun | null =>
  carried<AgentRun>(event.data.run, {
    id: 'string',
    taskId: 'string',
    mode: 'string',
    status: 'string',
    startedAt: 'string',
  });

export const carriedPrompt = (event: PlatformEvent): Prompt | null =>
  carried<Prompt>(event.data.prompt, {
    id: 'string',
    taskId: 'string',
    type: 'string',
    status: 'string',
    payload: 'object',
  });

export const carriedArtifact = (event: PlatformEvent): Artifact | null =>
  carried<Artifact>(event.data.artifact, { id: 'string', taskId: 'string', type: 'string', label: 'string' });

export const carriedCheck = (event: PlatformEvent): CheckResult | null =>
  carried<CheckResult>(event.data.check, { name: 'string', command: 'string', phase: 'string', passed: 'boolean' });

export function carriedStep(event: PlatformEvent): RunStep | null {
  return STEPS.find((step) => step === event.data.step) ?? null;
}

/** A silence that was noticed stands among what the agent said, where it was. */
export function carriedMessage(event: PlatformEvent): TranscriptMessage | null {
  if (event.type === 'agent.stalled')
    return { key: `stalled:${event.seq}`, kind: 'notice', level: 'warning', text: event.summary };
  if (event.type !== 'agent.message' || !isRecord(event.data.message)) return null;
  const shape = MESSAGE_FIELDS[String(event.data.message.kind)];
  return shape === undefined ? null : carried<TranscriptMessage>(event.data.message, { key: 'string', ...shape });
}

type Kind = 'string' | 'number' | 'boolean' | 'object';

const MESSAGE_FIELDS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  text: { text: 'string' },
  thinking: { text: 'string' },
  tool_call: { toolCallId: 'string', toolName: 'string', input: 'object' },
  tool_result: { toolCallId: 'string', output: 'string', isError: 'boolean' },
  usage: { model: 'string', usage: 'object' },
  notice: { level: 'string', text: 'string' },
};

function carried<Value>(value: unknown, fields: { readonly [Name in keyof Value]?: Kind }): Value | null {
  return isValue<Value>(value, fields) ? value : null;
}

function isValue<Value>(value: unknown, fields: { readonly [Name in keyof Value]?: Kind }): value is Value {
  if (!isRecord(value)) return false;
  return Object.entries(fields).every(([name, kind]) => typeof value[name] === kind && value[name] !== null);
}
