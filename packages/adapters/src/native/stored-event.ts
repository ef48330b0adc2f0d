import { isRecord } from '@attractor/base';
import type { DeliveredEvent } from '@attractor/journal';
import { NO_USAGE, type Usage } from '@attractor/llm';

/** A session's event as plain JSON: the same shape whether it just happened or was read back from the journal. */
export type StoredEvent = {
  readonly seq: number;
  readonly event: Readonly<Record<string, unknown>> & { readonly kind: string };
};

export type AssistantPart =
  | { readonly kind: 'TEXT' | 'THINKING'; readonly text: string }
  | {
      readonly kind: 'TOOL_CALL';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: Readonly<Record<string, unknown>>;
    };

export function storedEvent(event: DeliveredEvent): StoredEvent {
  const { seq, at: _at, sessionId: _sessionId, ...rest } = event;
  return { seq, event: rest };
}

/** The parts of an assistant message that we use; others are passed over. */
export function partsOf({ event }: StoredEvent): ReadonlyArray<AssistantPart> {
  const { content } = event;
  return Array.isArray(content) ? content.flatMap(readPart) : [];
}

export function usageOf({ event }: StoredEvent): Usage {
  const { usage } = event;
  if (!isRecord(usage)) return NO_USAGE;
  const count = (name: string): number => (typeof usage[name] === 'number' ? usage[name] : 0);
  const optional = (name: string) => (typeof usage[name] === 'number' ? { [name]: usage[name] } : {});
  return {
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    totalTokens: count('totalTokens'),
    ...optional('reasoningTokens'),
    ...optional('cacheReadTokens'),
    ...optional('cacheWriteTokens'),
  };
}

export function textOf({ event }: StoredEvent, name: string): string {
  const value = event[name];
  return typeof value === 'string' ? value : '';
}

export function fieldsOf({ event }: StoredEvent, name: string): Readonly<Record<string, unknown>> {
  const value = event[name];
  return isRecord(value) ? value : {};
}

function readPart(part: unknown): ReadonlyArray<AssistantPart> {
  if (!isRecord(part)) return [];
  const { kind, text, toolCallId, toolName, args } = part;
  if ((kind === 'TEXT' || kind === 'THINKING') && typeof text === 'string') return [{ kind, text }];
  if (kind !== 'TOOL_CALL' || typeof toolCallId !== 'string' || typeof toolName !== 'string') return [];
  return [{ kind, toolCallId, toolName, args: isRecord(args) ? args : {} }];
}
