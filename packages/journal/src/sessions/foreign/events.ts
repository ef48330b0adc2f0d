import { defined } from '@attractor/base';
import { addUsage, type ContentPart, NO_USAGE, type ToolCallPart } from '@attractor/llm';
import type { SessionEvent } from '../../events/event.ts';
import type { ForeignStep } from './conversation.ts';

/** `uuid`: the name that it had where it comes from. */
export type TimedEvent = { readonly at: string; readonly event: SessionEvent; readonly uuid?: string };

const NO_BEGINNING = '[The beginning of this conversation is not in the file that it was taken from.]';
const NO_RESULT = 'not known: the file that this conversation was taken from has no result of this call';

/**
 * The events that our own session would have recorded for the conversation. Every call has a valid name and a unique id that all providers
 * accept, and one result right after its answer; a result without a call is left out.
 */
export function eventsOfSteps(steps: ReadonlyArray<ForeignStep>): ReadonlyArray<TimedEvent> {
  const writing: Writing = { events: [], ids: new Map(), open: [], taken: new Set(), isOpen: false };
  for (const step of joined(steps)) WRITE[step.kind](writing, step);
  const at = steps.at(-1)?.at ?? '';
  answerOpen(writing, at);
  if (writing.isOpen) writing.events.push({ at, event: { kind: 'PROCESSING_END' } });
  return writing.events;
}

/** Steps of one answer joined into one; results between them follow it. */
function joined(steps: ReadonlyArray<ForeignStep>): ReadonlyArray<ForeignStep> {
  const all: ForeignStep[] = [];
  for (const step of steps) {
    const at = all.findLastIndex(({ kind }) => kind !== 'result');
    const last = all[at];
    const isSame =
      step.kind === 'assistant' &&
      last?.kind === 'assistant' &&
      (at === all.length - 1 ? continues(last, step) : step.responseId !== '' && step.responseId === last.responseId);
    if (!isSame) all.push(step);
    else {
      const usage = step.responseId === '' ? addUsage(last.usage, step.usage) : step.usage;
      all[at] = { ...last, parts: [...last.parts, ...step.parts], usage, ...defined({ uuid: step.uuid }) };
    }
  }
  return all;
}

type AssistantStep = Extract<ForeignStep, { kind: 'assistant' }>;

/** Two answers with nothing between them are one: the second answers nothing. */
function continues(last: AssistantStep, next: AssistantStep): boolean {
  return last.model === next.model || last.parts.every(({ kind }) => kind !== 'TOOL_CALL');
}

type Writing = {
  readonly events: TimedEvent[];
  /** Their id of the last call → our id. */
  readonly ids: Map<string, string>;
  open: ReadonlyArray<{ readonly toolCallId: string; readonly toolName: string }>;
  readonly taken: Set<string>;
  /** An input was written and has not ended. */
  isOpen: boolean;
};

type Write = (writing: Writing, step: ForeignStep) => void;

const WRITE: Readonly<Record<ForeignStep['kind'], Write>> = {
  user: (writing, step) => {
    if (step.kind !== 'user') return;
    answerOpen(writing, step.at);
    if (writing.isOpen) writing.events.push({ at: step.at, event: { kind: 'PROCESSING_END' } });
    const parts =
      step.images.length === 0 ? {} : { parts: [{ kind: 'TEXT' as const, text: step.text }, ...step.images] };
    writing.events.push({
      at: step.at,
      event: { kind: 'USER_INPUT', content: step.text, ...parts },
      ...defined({ uuid: step.uuid }),
    });
    writing.isOpen = true;
  },
  assistant: (writing, step) => {
    if (step.kind !== 'assistant') return;
    const { at, usage, model, responseId } = step;
    answerOpen(writing, at);
    if (writing.events.length === 0) writing.events.push({ at, event: { kind: 'USER_INPUT', content: NO_BEGINNING } });
    writing.isOpen = true;
    const content = step.parts.map((part) => ownCall(writing, part));
    writing.events.push({
      at,
      event: { kind: 'ASSISTANT_MESSAGE', content, usage: usage ?? NO_USAGE, responseId, model },
      ...defined({ uuid: step.uuid }),
    });
    const calls = content.filter((part): part is ToolCallPart => part.kind === 'TOOL_CALL');
    for (const { toolCallId, toolName, args } of calls)
      writing.events.push({ at, event: { kind: 'TOOL_CALL_START', toolCallId, toolName, args } });
    writing.open = calls;
  },
  result: (writing, step) => {
    if (step.kind !== 'result') return;
    const { at, output, isError, images } = step;
    const call = writing.open.find(({ toolCallId }) => toolCallId === writing.ids.get(step.toolCallId));
    if (call === undefined) return;
    const { toolCallId, toolName } = call;
    writing.open = writing.open.filter((other) => other !== call);
    const shown = images.length === 0 ? {} : { images };
    writing.events.push({
      at,
      event: { kind: 'TOOL_CALL_END', toolCallId, toolName, output, isError, ...shown },
      ...defined({ uuid: step.uuid }),
    });
  },
};

function answerOpen(writing: Writing, at: string): void {
  for (const { toolCallId, toolName } of writing.open)
    writing.events.push({
      at,
      event: { kind: 'TOOL_CALL_END', toolCallId, toolName, output: NO_RESULT, isError: true },
    });
  writing.open = [];
}

function ownCall(writing: Writing, part: ContentPart): ContentPart {
  if (part.kind !== 'TOOL_CALL') return part;
  const wanted = sound(part.toolCallId, 'call', 60);
  let toolCallId = wanted;
  for (let count = 2; writing.taken.has(toolCallId); count += 1) toolCallId = `${wanted}_${count}`;
  writing.taken.add(toolCallId);
  writing.ids.set(part.toolCallId, toolCallId);
  return { ...part, toolCallId, toolName: sound(part.toolName, 'tool', 64) };
}

function sound(text: string, otherwise: string, length: number): string {
  const clean = text.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, length);
  return clean === '' ? otherwise : clean;
}
